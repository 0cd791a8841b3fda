//! How many of how many, in exact numbers of any size.

use crate::natural::Natural;
use num_bigint::BigUint;
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// A number of points among all of them: exact, or between two bounds that are proven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// No fewer.
    pub(super) at_least: BigUint,
    /// No more.
    pub(super) at_most: BigUint,
    /// Of so many.
    pub(super) of: BigUint,
}

impl Count {
    /// A number that was counted.
    pub(super) fn exactly(number: BigUint, of: BigUint) -> Self {
        Self { at_least: number.clone(), at_most: number, of }
    }

    /// The number, where the bounds meet.
    pub(super) fn exact(&self) -> Option<&BigUint> {
        (self.at_least == self.at_most).then_some(&self.at_least)
    }

    /// No fewer than the first, no more than the second.
    #[must_use]
    pub fn bounds(&self) -> (Natural, Natural) {
        (Natural::new(self.at_least.clone()), Natural::new(self.at_most.clone()))
    }

    /// Among so many.
    #[must_use]
    pub fn of(&self) -> Natural {
        Natural::new(self.of.clone())
    }

    /// The number, where it is exact.
    #[must_use]
    pub fn number(&self) -> Option<Natural> {
        self.exact().cloned().map(Natural::new)
    }

    /// The share of all points that is counted, where it is exact.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        self.exact().map(|number| ratio(number, &self.of))
    }

    /// The bounds as shares.
    #[must_use]
    pub fn share_bounds(&self) -> (f64, f64) {
        (ratio(&self.at_least, &self.of), ratio(&self.at_most, &self.of))
    }

    /// Whether it is 0: true, false, or not known.
    #[must_use]
    pub fn is_zero(&self) -> Option<bool> {
        let none = BigUint::default();
        if self.at_most == none {
            Some(true)
        } else if self.at_least > none {
            Some(false)
        } else {
            None
        }
    }
}

/// `part / whole`, to the nearest doubles; 0 where there is no whole.
pub(super) fn ratio(part: &BigUint, whole: &BigUint) -> f64 {
    if part.bits() == 0 || whole.bits() == 0 {
        return 0.0;
    }
    if part == whole {
        return 1.0;
    }
    // A quotient of 64 bits or more, so that rounding is far below a double's.
    let shift = (whole.bits() + 64).saturating_sub(part.bits());
    let quotient = (part << shift) / whole;
    let digits = quotient.iter_u64_digits();
    let value = digits.rev().fold(0.0, |value, digit| value * 18_446_744_073_709_551_616.0 + digit as f64);
    libm::ldexp(value, -i32::try_from(shift).unwrap_or(i32::MAX))
}

impl Serialize for Count {
    /// Numbers as decimal texts, since JSON's readers have doubles; the share beside them.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (low, high) = self.share_bounds();
        if let Some(number) = self.exact() {
            let mut object = serializer.serialize_struct("Count", 3)?;
            object.serialize_field("number", &number.to_string())?;
            object.serialize_field("of", &self.of.to_string())?;
            object.serialize_field("share", &low)?;
            return object.end();
        }
        let mut object = serializer.serialize_struct("Count", 5)?;
        object.serialize_field("at_least", &self.at_least.to_string())?;
        object.serialize_field("at_most", &self.at_most.to_string())?;
        object.serialize_field("of", &self.of.to_string())?;
        object.serialize_field("share_at_least", &low)?;
        object.serialize_field("share_at_most", &high)?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_doubles() {
        let big = |n: u64| BigUint::from(n);
        for (part, whole) in [(0, 7), (1, 3), (2, 3), (7, 7), (1, u64::MAX), (u64::MAX - 1, u64::MAX), (5, 1)]
        {
            let expected = part as f64 / whole as f64;
            let found = ratio(&big(part), &big(whole));
            assert!((found - expected).abs() <= expected * 1e-15, "{part} / {whole}: {found} {expected}");
        }
        assert_eq!(ratio(&big(1), &(big(1) << 300u32)).to_bits(), (-300f64).exp2().to_bits());
        assert_eq!(ratio(&(big(3) << 5000u32), &(big(1) << 5001u32)).to_bits(), 1.5f64.to_bits());
    }

    #[test]
    fn json_says_whether_it_was_counted() {
        let count = Count::exactly(BigUint::from(3u8), BigUint::from(12u8));
        assert_eq!(serde_json::to_string(&count).unwrap(), r#"{"number":"3","of":"12","share":0.25}"#);
        let count = Count { at_least: BigUint::default(), ..count };
        assert_eq!(
            serde_json::to_string(&count).unwrap(),
            r#"{"at_least":"0","at_most":"3","of":"12","share_at_least":0.0,"share_at_most":0.25}"#
        );
        assert_eq!((count.is_zero(), count.share()), (None, None));
    }
}
