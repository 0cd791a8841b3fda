//! Mean, sample deviation and Student's interval of a few values, as in the paper's Appendix D.9.

/// What a table shows of the values of some seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Summary {
    /// How many values.
    pub(crate) count: usize,
    pub(crate) mean: f64,
    /// Of the sample, over n - 1; 0 for a single value.
    pub(crate) deviation: f64,
}

impl Summary {
    /// `None` without values.
    pub(crate) fn new(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let values: Vec<f64> = values.into_iter().collect();
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = if count == 1 { 0.0 } else { (squares / (count - 1) as f64).sqrt() };
        Some(Self { count, mean, deviation })
    }

    /// Half the length of the 95 % interval for the mean; 0 for a single value, of which nothing can be said.
    pub(crate) fn half_interval(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        critical(self.count - 1) * self.deviation / (self.count as f64).sqrt()
    }
}

/// `t_{0.025, df}`: Student's T exceeds it with probability 0.025.
fn critical(degrees: usize) -> f64 {
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if within(middle, degrees) < 0.95 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The probability that |T| is below `t`: the finite series for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and
/// 26.7.4).
fn within(t: f64, degrees: usize) -> f64 {
    let angle = (t / (degrees as f64).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let odd = degrees % 2 == 1;
    let (mut term, mut sum) = if odd { (cosine, 0.0) } else { (1.0, 0.0) };
    let mut power = usize::from(odd);
    while power + 2 <= degrees {
        sum += term;
        term *= cosine * cosine * (power + 1) as f64 / (power + 2) as f64;
        power += 2;
    }
    if odd { 2.0 / std::f64::consts::PI * (angle + sine * sum) } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn critical_values_are_those_of_the_books() {
        for (degrees, value) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (9, 2.262),
            (18, 2.101),
            (19, 2.093),
            (99, 1.984),
        ] {
            assert!((critical(degrees) - value).abs() < 6e-4, "{degrees}: {}", critical(degrees));
        }
    }

    #[test]
    fn deviations_are_those_of_samples() {
        let summary = Summary::new([0.7, 0.8, 0.9]).unwrap();
        assert!((summary.mean - 0.8).abs() < 1e-12 && (summary.deviation - 0.1).abs() < 1e-12);
        assert!((summary.half_interval() - 4.303 * 0.1 / 3f64.sqrt()).abs() < 1e-4);
    }

    #[test]
    fn one_value_has_no_spread_and_none_has_no_summary() {
        let summary = Summary::new([0.7]).unwrap();
        assert_eq!((summary.count, summary.deviation, summary.half_interval()), (1, 0.0, 0.0));
        assert_eq!(Summary::new([]), None);
    }
}
