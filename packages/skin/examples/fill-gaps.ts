import { fillGaps } from '@pelt/skin/puppet';

const { motion, report } = fillGaps({
  name: 'three frames, the hand lost in the second',
  joints: ['hand'],
  times: Float64Array.of(0, 0.1, 0.2),
  positions: Float32Array.of(0, 0, 0, 9, 9, 9, 2, 0, 0),
  confidence: Float32Array.of(1, 0, 1),
});
if (report.interpolated !== 1 || motion.positions[3] !== 1) throw new Error('the gap is not filled');
