import { writeVat } from '@pelt/io';
import { elbowScene } from '@pelt/testkit';

const { sequence } = elbowScene();
const { files, width, height } = await writeVat(sequence, { name: 'arm', encoding: 'png' });
const [mesh, picture, remap] = files.map(({ name }) => name);
if (mesh !== 'arm.glb' || picture !== 'arm_vat.png' || remap !== 'arm-remap_info.json') throw new Error('three files');
if (width * height * 3 < 2 * sequence.frames.length)
  throw new Error('offsets and normals of every vertex and frame fit');
