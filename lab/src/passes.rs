//! Work that takes too little time to be timed once.

use std::time::Instant;

use anyhow::Result;

use crate::bar::median;

/// Times at most.
const MOST: usize = 5;
/// No further time after so many seconds.
const ENOUGH: f64 = 1.0;

/// Does the same work a few times; gives what it gave last, and the median of its seconds. The Python program does as much.
pub(crate) fn passes<T>(mut work: impl FnMut() -> Result<T>) -> Result<(T, f64)> {
    let mut seconds = Vec::new();
    loop {
        let begun = Instant::now();
        let made = work()?;
        seconds.push(begun.elapsed().as_secs_f64());
        if seconds.len() == MOST || seconds.iter().sum::<f64>() >= ENOUGH {
            return Ok((made, median(seconds)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    #[test]
    fn short_work_is_repeated_and_long_work_is_not() {
        let mut times = 0;
        let mut count = |pause: f64| {
            passes(|| {
                sleep(Duration::from_secs_f64(pause));
                times += 1;
                Ok(times)
            })
            .unwrap()
        };
        assert_eq!(count(0.0).0, MOST);
        let (times, seconds) = count(ENOUGH);
        assert!(times == MOST + 1 && seconds >= ENOUGH);
        assert!(passes(|| anyhow::bail!("broken") as Result<()>).is_err());
    }
}
