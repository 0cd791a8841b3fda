//! The figures as SVG, written by hand: a stage curve for each configuration, and all accuracies in one picture.
//!
//! Bands are 95 % intervals of Student's distribution for the mean over seeds; hollow marks are the paper's figures.

mod overview;
mod stages;

use std::fmt::{Display, Write};

pub(super) use overview::overview;
pub(super) use stages::stages;

use super::method::Method;

/// Colours that people with any colour vision tell apart (Okabe and Ito).
fn colour(method: Method) -> &'static str {
    match method {
        Method::Paper | Method::Network => "#0072b2",
        Method::RandomK => "#999999",
        Method::Auto => "#009e73",
        Method::AutoK => "#56b4e9",
        Method::Limit => "#000000",
        Method::FlatEspresso => "#e69f00",
        Method::FlatRows => "#d55e00",
        Method::Relu => "#cc79a7",
        Method::Sigmoid => "#8c6bb1",
    }
}

/// A picture under way.
struct Svg(String);

impl Svg {
    fn new(width: u32, height: u32, title: &str) -> Self {
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"11\">\n<title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        ))
    }

    fn push(&mut self, element: impl Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{element}");
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        self.push(format_args!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {style}/>",
            from.0, from.1, to.0, to.1
        ));
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: &str, text: &str) {
        self.push(format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"));
    }

    fn dot(&mut self, (x, y): (f64, f64), radius: f64, style: &str) {
        self.push(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {style}/>"));
    }

    fn end(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}

/// A method's name without Markdown.
fn plain(method: Method) -> String {
    method.title().replace('`', "")
}

fn filled(method: Method) -> String {
    format!("fill=\"{}\"", colour(method))
}

fn hollow(method: Method) -> String {
    format!("fill=\"white\" stroke=\"{}\" stroke-width=\"1.5\"", colour(method))
}
