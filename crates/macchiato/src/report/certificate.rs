//! The section about the certificate of the page's network: the checker's verdict, and the digests of what it speaks about.

use std::fmt::Write as _;

use super::escape::{Text, count, thousands};
use super::view::View;

/// The section of the page.
pub(super) fn section(out: &mut String, view: &View<'_>) {
    let Some(certificate) = &view.certificate else { return };
    let class = if certificate.accepted { "good" } else { "bad" };
    let _ = write!(
        out,
        "<section id=\"certificate\" aria-labelledby=\"certificate-h\"><h2 id=\"certificate-h\">Certificate</h2>\
         <p>The checker, a program that shares no code with the learner and the compiler, read this model’s network and its \
         certificate when this page was made{}, in version {}, and said: <strong class=\"verdict {class}\">{}</strong>.</p>\
         <p id=\"confirmed\" class=\"note\">This sentence and the verdict are text, which this page has not confirmed.</p><pre tabindex=\"0\" \
         aria-label=\"The checker’s verdict\">{}</pre>",
        certificate.day.as_ref().map_or_else(String::new, |day| format!(", on {}", Text(day))),
        macchiato_check::VERSION,
        certificate.word(),
        certificate.verdict.lines().map(|line| Text(line).to_string()).collect::<Vec<_>>().join("\n"),
    );
    if let Some(why) = &certificate.training {
        let _ = write!(
            out,
            "<p class=\"note bad\">The training claims were not replayed, so these may not be the rows that the model was \
             learned from: {}.</p>",
            Text(why)
        );
    }
    out.push_str("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Digests\"><table class=\"digests\"><thead><tr><th scope=\"col\">File</th><th scope=\"col\">Bytes</th><th scope=\"col\">SHA-256</th></tr></thead><tbody>");
    let mut row = |name: &str, (digest, bytes): &(String, usize)| {
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{name}</th><td>{}</td><td><code>{digest}</code></td></tr>",
            thousands(*bytes)
        );
    };
    if let Some(model) = &certificate.model {
        row("model", model);
    }
    row("network (ONNX)", &certificate.network);
    row("certificate", &certificate.text);
    out.push_str("</tbody></table></div>");
    let name = view.source.unwrap_or("model.json");
    let _ = write!(
        out,
        "<p class=\"quiet\">Make the same bytes and check them yourself:</p><pre tabindex=\"0\" aria-label=\"Commands\">macchiato compile {0} --out net.onnx --certificate net.cert{1}\nmacchiato-check net.onnx net.cert</pre>",
        Text(name),
        if certificate.verdict.contains("replayed on") { " --rows TRAINING-ROWS" } else { "" },
    );
    if let Some(network) = &view.network {
        let _ = write!(
            out,
            "<p class=\"quiet\">The weights in this page are those of that network: {} in {}.</p>",
            count(network.compiled.network.widths().iter().sum(), "neuron"),
            count(network.compiled.network.layers.len(), "layer")
        );
    }
    out.push_str("</section>");
}
