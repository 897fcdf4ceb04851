//! Photos made smaller while they are read, a row at a time.

/// Squares of pixels, summed as their rows come. At the right and lower edges they may hold fewer pixels.
pub(super) struct Bins {
    /// Pixels in a row, bytes in a pixel, and the side of a square.
    width: usize,
    size: usize,
    side: usize,
    sums: Vec<u32>,
    /// Rows in `sums`.
    rows: usize,
    data: Vec<u8>,
}

impl Bins {
    pub fn new(width: usize, height: usize, size: usize, side: usize) -> Self {
        let across = width.div_ceil(side) * size;
        let data = Vec::with_capacity(across * height.div_ceil(side));
        Self { width, size, side, sums: vec![0; across], rows: 0, data }
    }

    pub fn add(&mut self, row: &[u8]) {
        if self.side == 1 {
            self.data.extend_from_slice(row);
            return;
        }
        let squares = row.chunks(self.side * self.size);
        for (sums, square) in self.sums.chunks_exact_mut(self.size).zip(squares) {
            for pixel in square.chunks_exact(self.size) {
                for (sum, value) in sums.iter_mut().zip(pixel) {
                    *sum += u32::from(*value);
                }
            }
        }
        self.rows += 1;
        if self.rows == self.side {
            self.average();
        }
    }

    fn average(&mut self) {
        let last = self.sums.len() / self.size - 1;
        for (index, sums) in self.sums.chunks_exact_mut(self.size).enumerate() {
            let across = if index == last { self.width - last * self.side } else { self.side };
            let count = (across * self.rows) as u32;
            for sum in sums {
                // a mean of bytes is one
                self.data.push(((*sum + count / 2) / count) as u8);
                *sum = 0;
            }
        }
        self.rows = 0;
    }

    pub fn finish(mut self) -> Vec<u8> {
        if self.rows > 0 {
            self.average();
        }
        self.data
    }
}
