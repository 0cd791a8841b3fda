//! The live panel's frame; the script fills it from the page's data.

use std::fmt::Write as _;

use super::view::View;

/// The section of the page.
pub(super) fn section(out: &mut String, view: &View<'_>) {
    if view.network.is_none() {
        return;
    }
    let typed = !view.model.is_plain();
    out.push_str(
        "<section id=\"live\" aria-labelledby=\"live-h\"><h2 id=\"live-h\">Try it</h2>\
         <p>The page computes the circuit and, on its own, the network from its weights. Change an input and watch both here and in \
         the drawings below.</p><noscript><p class=\"note\">This panel needs JavaScript; everything else on this page does \
         not.</p></noscript><div class=\"live\" hidden><div class=\"controls\">",
    );
    out.push_str(
        "<div class=\"pick\"><label for=\"row\">Row</label><select id=\"row\"><option value=\"\">your own values</option></select></div>",
    );
    if typed {
        out.push_str(
            "<fieldset id=\"mode\" class=\"mode\"><legend>Set</legend>\
             <label><input type=\"radio\" name=\"mode\" value=\"values\" checked> values of columns</label> \
             <label><input type=\"radio\" name=\"mode\" value=\"bits\"> bits</label></fieldset>\
             <fieldset id=\"columns\" class=\"inputs\"><legend>Columns</legend></fieldset>",
        );
    }
    let legend = if typed { "Bits" } else { "Inputs" };
    let _ = write!(
        out,
        "<fieldset id=\"inputs\" class=\"inputs\"><legend>{legend}</legend></fieldset></div>\
         <div class=\"outcome\"><div id=\"answer\" class=\"answer\" role=\"status\"></div><div id=\"sides\" class=\"sides\"></div>\
         <div class=\"check\"><button id=\"check\" type=\"button\">Check</button> <button id=\"stop\" type=\"button\" hidden>Stop</button>\
         <progress id=\"progress\" max=\"1\" value=\"0\" aria-label=\"Inputs checked\" hidden></progress>\
         <p id=\"found\" role=\"status\"></p><button id=\"show\" type=\"button\" hidden>Show that input</button></div>\
         <div class=\"scroll gate-table\" tabindex=\"0\" role=\"region\" aria-label=\"Gates and their values\">\
         <table id=\"gate-values\"><caption>Every gate, as the circuit has it and as its neurons carry it</caption><thead><tr>\
         <th scope=\"col\">Gate</th><th scope=\"col\">Circuit</th><th scope=\"col\">Neurons</th><th scope=\"col\">Network</th></tr></thead>\
         <tbody data-rove aria-label=\"Gates\"></tbody></table></div></div></div></section>",
    );
}
