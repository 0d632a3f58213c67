import {
  DUAL_QUATERNION_EXTENSION,
  dualQuaternionExtension,
  editGltf,
  eigenSkinExtension,
  readCharacter,
  readGltf,
  saveCharacter,
  unkeptOf,
  writeSkinnedGlb,
} from '@pelt/io';
import { IDENTITY_TRANSFORM, type Rig, uniformTimes } from '@pelt/model';

// A triangle bound to one bone, with a morph target.
const rig: Rig = {
  name: 'triangle',
  mesh: {
    name: 'triangle',
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    triangles: Uint32Array.of(0, 1, 2),
  },
  bones: [{ name: 'bone', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
  weights: { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) },
};
const morphs = { deltas: [Float32Array.of(0, 0, 1, 0, 0, 0, 0, 0, 0)], names: ['smile'], weights: [] };
const file = await writeSkinnedGlb({ rig, clips: [], morphs });
const asset = await readGltf(file.bytes);

// A new clip, and nothing else changes.
const slid = IDENTITY_TRANSFORM.map((value, k) => (k === 3 ? 0.5 : value));
const transforms = Float64Array.of(...IDENTITY_TRANSFORM, ...slid);
const clip = { name: 'slide', times: uniformTimes(2, 30), transforms };
const { bytes } = await saveCharacter(file, asset, { clips: [clip] });
const character = readCharacter(await readGltf(bytes));
if (character.morphs[0].name !== 'smile' || character.clips[0].transforms[15] !== 0.5) throw new Error('one more clip');

// Extensions say how its skin is played: by dual quaternions here.
const turned = await editGltf(file, asset, { extensions: [dualQuaternionExtension()] });
const dual = await readGltf(turned.bytes);
if (readCharacter(dual).skin.kind !== 'dual-quaternion') throw new Error('dual quaternions');

// And here the morph target follows the pose: on where the bone has slid.
const examples = { poses: transforms, amounts: Float32Array.of(0, 1) };
const following = await editGltf(turned, dual, {
  without: [DUAL_QUATERNION_EXTENSION],
  extensions: [eigenSkinExtension(1, examples)],
});
if (readCharacter(await readGltf(following.bytes)).skin.kind !== 'eigenskin') throw new Error('EigenSkin');

// A new file would lose nothing of this one: it has neither cameras nor extensions of others.
if (unkeptOf(file.bytes).length > 0) throw new Error('all of it is kept');
