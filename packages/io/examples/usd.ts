import { glbToUsda, glbToUsdz, writeSkinnedGlb } from '@pelt/io';
import { chainScene } from '@pelt/testkit';

const { rig, clip } = chainScene({ joints: ['hinge'], frames: 4, ringsPerLink: 3, sides: 5 });
const { bytes: glb } = await writeSkinnedGlb({ rig, clips: [clip] });

const [layer] = await glbToUsda(glb);
if (!new TextDecoder().decode(layer.bytes).startsWith('#usda 1.0')) throw new Error('a layer of text is written');
const usdz = await glbToUsdz(glb);
if (usdz.length < layer.bytes.length) throw new Error('the layer is in the archive, uncompressed');
