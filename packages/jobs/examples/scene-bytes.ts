import { decodeScene, encodeScene } from '@pelt/jobs/view';

const bytes = encodeScene({ label: 'a point', positions: Float32Array.of(1, 2, 3) });
const { positions } = decodeScene<{ positions: Float32Array }>(bytes.buffer);
if (positions[2] !== 3) throw new Error('the numbers come back as they went');
