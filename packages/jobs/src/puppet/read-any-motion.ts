/** A motion from what people have: a capture file, a tracker's recording, or the animation of a scene. */
import { fbxToGlb, readGltfMotion, readMotion, usdToGlb } from '@pelt/io';
import type { Motion } from '@pelt/model';
import { besides } from '../files/besides.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import type { PUPPET } from './table.ts';

type MotionOptions = Pick<Checked<typeof PUPPET>['options'], 'fps' | 'aspect' | 'depth'>;

export async function readAnyMotion(
  name: string,
  bytes: Uint8Array,
  { fps, aspect, depth }: MotionOptions,
  { files, warn }: Pick<Job, 'files' | 'warn'>,
): Promise<Motion> {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 512));
  const onWarning = warn;
  if (/^(?:Kaydara FBX Binary|; FBX)/.test(head)) {
    return readGltfMotion(await fbxToGlb(bytes, { name, onWarning }), { name, onWarning });
  }
  if (/^(?:PXR-USDC|#usda)/.test(head) || /\.usdz$/i.test(name)) {
    return readGltfMotion(await usdToGlb(bytes, { name, onWarning }), { name, onWarning });
  }
  if (head.startsWith('glTF') || /\.(?:gltf|glb|vrm|vrma)$/i.test(name)) {
    return readGltfMotion(bytes, { name, onWarning, resolve: besides(files, name, warn) });
  }
  return readMotion(bytes, { name, onWarning, fps, aspect, depth });
}
