"""A certified part inside a larger model: it reads the thresholded outputs of an ordinary encoder, and both are trained together.

The encoder turns a point of the plane into four bits; the certified part counts them. Gradients pass through both, and at the end the
part has a certificate again, whatever the encoder is. Needs PyTorch.
"""

from __future__ import annotations

import torch
from torch import nn

from macchiato import Circuit, check


class Bits(torch.autograd.Function):
    """0 or 1, with the gradient of a sigmoid."""

    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return (z > 0).float()

    @staticmethod
    def backward(ctx, gradient):
        (z,) = ctx.saved_tensors
        soft = torch.sigmoid(z)
        return gradient * soft * (1 - soft)


class Model(nn.Module):
    def __init__(self, part: nn.Module) -> None:
        super().__init__()
        self.encoder = nn.Linear(2, 4)
        self.part = part

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.part(Bits.apply(self.encoder(x)))


def main() -> dict[str, float]:
    torch.manual_seed(1)
    x = 2 * torch.rand(2000, 2) - 1
    # Inside a square: four half-planes hold at once.
    y = ((x.abs() < 0.7).all(dim=1)).float()[:, None]
    inside = Circuit(["left", "right", "above", "below"], [[[(i, True) for i in range(4)]]], target="inside")
    network = inside.compile()
    model = Model(network.to_torch(trainable="thresholds", keep="gates", straight_through=True))
    with torch.no_grad():
        model.encoder.weight.copy_(torch.tensor([[3.0, 0.3], [-3.0, 0.1], [0.2, 3.0], [-0.1, -3.0]]))
        model.encoder.bias.fill_(1.0)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=0.1)
    for _ in range(1500):
        optimizer.zero_grad()
        ((model(x) - y) ** 2).mean().backward()
        optimizer.step()
    model.part.snap_()
    now = network.recertify(model.part)
    accuracy = float(((model(x) > 0.5) == (y > 0.5)).float().mean())
    print(f"accuracy of encoder and certified part together: {accuracy:.3f}")
    print("\n".join(now.changes) or "every gate answers as before")
    assert now.record is not None and check(now.file, now.record)
    assert check(now.network, now.network.certificate())
    return {"accuracy": accuracy}


if __name__ == "__main__":
    main()
