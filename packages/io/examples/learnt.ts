import { envelopeExtension, poserExtension, readEnvelope, readGltf, readPoser, writeSkinnedGlb } from '@pelt/io';
import { smallestEnvelope, smallestPoser, triangleRig } from '@pelt/testkit';

// A triangle with a poser and an envelope; those of a character come from `buildPoser` and `trainEnvelope`.
const rig = triangleRig();
const poser = smallestPoser(rig);
const envelope = smallestEnvelope(rig);

// Seams split vertices, so what is kept per vertex is written for the vertices of the file.
const extensions = (map: Uint32Array) => [poserExtension(poser, map), envelopeExtension(envelope, map)];
const { bytes } = await writeSkinnedGlb({ rig, clips: [], extensions });

// Other programs play the file as plain skinning; pelt finds what was learnt.
const asset = await readGltf(bytes);
if (readPoser(asset)?.exampleNames[0] !== 'rest') throw new Error('the poser is there');
if (readEnvelope(asset)?.proxies !== 1) throw new Error('the envelope is there');
