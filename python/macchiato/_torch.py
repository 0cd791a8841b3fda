"""Networks in PyTorch whose training stays within what can be certified again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

if TYPE_CHECKING:
    from ._network import Network

TRAINABLE = ("thresholds", "weights", "all")


class _NearReLU(torch.autograd.Function):
    """A ReLU whose gradient does not end at 0: a term that is one literal short of holding must learn, too."""

    @staticmethod
    def forward(ctx: Any, z: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(z)
        return functional.relu(z)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> torch.Tensor:
        (z,) = ctx.saved_tensors
        return gradients[0] * torch.sigmoid(4 * z)


class _GateLayer(nn.Module):
    """One layer: its counting gates by their own points and thresholds, all other neurons as they are."""

    def __init__(self, weights: Any, biases: Any, relu: bool, gates: list[Any]) -> None:
        super().__init__()
        fixed = torch.tensor(weights.tolist()).reshape(weights.shape)
        constants = torch.tensor(biases.tolist())
        rows, columns, literals, factors = [], [], [], []
        neurons, owners, slopes = [], [], []
        constant_literals, constant_neurons, constant_factors = [], [], []
        points: list[float] = []
        for gate, (bank, reads) in enumerate(gates):
            for neuron, slope, offset in bank:
                fixed[neuron] = 0.0
                constants[neuron] = offset
                neurons.append(neuron)
                owners.append(gate)
                slopes.append(float(slope))
            for parts, base, positive, weight in reads:
                sign = 1 if positive else -1
                for neuron, slope, _ in bank:
                    for part, coefficient in parts:
                        rows.append(neuron)
                        columns.append(part)
                        literals.append(len(points))
                        factors.append(float(slope * sign * coefficient))
                    constant_neurons.append(neuron)
                    constant_literals.append(len(points))
                    constant_factors.append(float(slope * (base if positive else 1 - base)))
                points.append(float(weight))
        self.relu = relu
        self.points = nn.Parameter(torch.tensor(points))
        self.thresholds = nn.Parameter(torch.zeros(len(gates)))
        numbers = {"fixed": fixed, "constants": constants, "factors": torch.tensor(factors)}
        numbers |= {"slopes": torch.tensor(slopes), "constant_factors": torch.tensor(constant_factors)}
        places = {"rows": rows, "columns": columns, "literals": literals, "neurons": neurons, "owners": owners}
        places |= {"constant_neurons": constant_neurons, "constant_literals": constant_literals}
        for name, value in numbers.items():
            self.register_buffer(name, value)
        for name, place in places.items():
            self.register_buffer(name, torch.tensor(place, dtype=torch.long))

    def affine(self, used: Callable[[torch.Tensor], torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        points, thresholds = used(self.points), used(self.thresholds)
        own = points[self.literals] * self.factors
        weights = self.fixed.index_put((self.rows, self.columns), own, accumulate=True)
        biases = self.constants.index_put((self.neurons,), thresholds[self.owners] * self.slopes, accumulate=True)
        constant = points[self.constant_literals] * self.constant_factors
        return weights, biases.index_put((self.constant_neurons,), constant, accumulate=True)


class GateNetwork(nn.Module):
    """A network whose parameters are its gates' own: the points of their literals, and how far their thresholds moved.

    Zero weights stay zero, and the neurons of a gate move together, so that :meth:`snap_` always ends at gates that
    :meth:`Network.recertify` finds. Gates that answer by other counts than a threshold (XOR among them) stay as they are.
    """

    def __init__(self, network: Network, trainable: str, straight_through: bool) -> None:
        super().__init__()
        parts = zip(network.layers(), network._core.counting_gates())
        self.layers = nn.ModuleList(
            _GateLayer(weights, biases, relu, gates) for (weights, biases, relu), gates in parts
        )
        self.straight_through = straight_through
        for layer in self.layers:
            layer.points.requires_grad_(trainable in ("weights", "all"))
            layer.thresholds.requires_grad_(trainable in ("thresholds", "all"))

    def _used(self, parameter: torch.Tensor) -> torch.Tensor:
        if not self.straight_through:
            return parameter
        return parameter + (parameter.round() - parameter).detach()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Run the network; straight through, its gates are exact and only the gradients are not."""
        relu = _NearReLU.apply if self.straight_through else functional.relu
        for layer in self.layers:
            x = functional.linear(x, *layer.affine(self._used))
            x = relu(x) if layer.relu else x
        return x

    @torch.no_grad()
    def snap_(self) -> GateNetwork:
        """Round all points and thresholds: every gate is then exact again."""
        for layer in self.layers:
            layer.points.copy_(layer.points.round())
            layer.thresholds.copy_(layer.thresholds.round())
        return self

    @torch.no_grad()
    def tuned_layers(self) -> list[tuple[list[float], list[float]]]:
        """Get the weights, row after row, and the biases of each layer as they are now."""
        found = (layer.affine(self._used) for layer in self.layers)
        return [(weights.flatten().tolist(), biases.tolist()) for weights, biases in found]


def sequential(network: Network, trainable: str | None, keep: str | None) -> nn.Sequential:
    """``Linear`` and ``ReLU`` in turn; with ``keep="zeros"`` gradients of weights that are 0 are 0."""
    modules: list[nn.Module] = []
    for weights, biases, relu in network.layers():
        linear = nn.Linear(weights.shape[1], weights.shape[0], dtype=torch.float32)
        with torch.no_grad():
            # By way of lists where this PyTorch was built for another NumPy.
            linear.weight.copy_(torch.tensor(weights.tolist()).reshape(weights.shape))
            linear.bias.copy_(torch.tensor(biases.tolist()))
        linear.weight.requires_grad_(trainable in (None, "weights", "all"))
        linear.bias.requires_grad_(trainable in (None, "thresholds", "all"))
        if keep == "zeros" and linear.weight.requires_grad:
            mask = (linear.weight != 0).float()
            linear.weight.register_hook(lambda gradient, mask=mask: gradient * mask)
        modules.append(linear)
        if relu:
            modules.append(nn.ReLU())
    return nn.Sequential(*modules)


def tuned_layers(module: nn.Module) -> list[tuple[list[float], list[float]]]:
    """Get the weights, row after row, and the biases of each ``Linear`` of a module."""
    if isinstance(module, GateNetwork):
        return module.tuned_layers()
    linear = (part for part in module.modules() if isinstance(part, nn.Linear))
    return [(part.weight.detach().flatten().tolist(), part.bias.detach().tolist()) for part in linear]
