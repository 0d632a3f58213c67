import { glbToUsda, glbToUsdz, hasUsdFrames, openUsdAnimation, readGltf, usdToGlb, writeSkinnedGlb } from '@pelt/io';
import { chainScene } from '@pelt/testkit';

const { rig, clip } = chainScene({ joints: ['hinge'], frames: 4, ringsPerLink: 3, sides: 5 });
const { bytes: glb } = await writeSkinnedGlb({ rig, clips: [clip] });

const [layer] = await glbToUsda(glb);
if (!new TextDecoder().decode(layer.bytes).startsWith('#usda 1.0')) throw new Error('a layer of text is written');
const usdz = await glbToUsdz(glb);
if (usdz.length < layer.bytes.length) throw new Error('the layer is in the archive, uncompressed');

const back = await readGltf(await usdToGlb(usdz, { name: 'character.usdz' }));
if (!back.skinned || back.animations.length !== 1) throw new Error('skin and clip come back');

// A cache of points: frames are read when they are asked for.
const cache = new TextEncoder().encode(`#usda 1.0
( metersPerUnit = 1 )
def Mesh "cloth" {
  int[] faceVertexCounts = [3]
  int[] faceVertexIndices = [0, 1, 2]
  point3f[] points.timeSamples = { 0: [(0, 0, 0), (1, 0, 0), (0, 1, 0)], 24: [(0, 0, 0), (1, 0, 0), (0, 1, 1)] }
}`);
if (!hasUsdFrames(cache) || hasUsdFrames(usdz)) throw new Error('the one has samples of points, the other has not');
const animation = await openUsdAnimation(cache, { fps: 2 });
const positions = new Float32Array(9);
animation.readFrame(1, positions);
if (positions[8] !== 0.5) throw new Error('half a second is half of the way');
