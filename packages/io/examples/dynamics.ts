import { dynamicsExtension, envelopeExtension, readDynamics, readGltf, writeSkinnedGlb } from '@pelt/io';
import { smallestDynamics, smallestEnvelope, triangleRig } from '@pelt/testkit';

// A triangle on one bone and one proxy, which swings along x in one mode; a model comes from `trainDynamics`.
const rig = triangleRig();
const envelope = smallestEnvelope(rig);
const dynamics = smallestDynamics({ poles: Float64Array.of(12.5, 0.25, 1), readOut: Float64Array.of(0, -0.125) });
const extensions = (map: Uint32Array) => [envelopeExtension(envelope, map), dynamicsExtension(dynamics)];
const { bytes } = await writeSkinnedGlb({ rig, clips: [], extensions });

const read = readDynamics(await readGltf(bytes));
if (read?.poles[0] !== 12.5 || read.readOut[1] !== -0.125) throw new Error('what was written is read');
