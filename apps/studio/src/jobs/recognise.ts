/** What a file beside an animation is, found out by reading it: its name says little, for many programs write `.json`. */
import { fbxToGlb, readFaceRecording, readGltfMotion, readMotion, readPairs, usdToGlb } from '@pelt/io';
import { isFaceRecording } from '../store/face-recording.ts';
import type { StoredFile } from '../store/library.ts';
import type { Recognised } from './protocol.ts';

export async function recognise({ path, blob }: StoredFile): Promise<Recognised> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 512));
  try {
    if (/"pelt-pairs"/.test(head)) {
      readPairs(bytes, { name: path });
      return { kind: 'pairs' };
    }
    if (isFaceRecording(head)) {
      readFaceRecording(bytes, { name: path });
      return { kind: 'face-recording' };
    }
    await readAnyMotion(path, bytes);
    return { kind: 'motion' };
  } catch (error) {
    return { kind: 'other', reason: (error as Error).message };
  }
}

/** A capture, a recording of a tracker, or the animation of a scene. */
export async function readAnyMotion(path: string, bytes: Uint8Array<ArrayBuffer>, onWarning = (_: string) => {}) {
  const options = { name: path, onWarning };
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 32));
  if (/^(?:Kaydara FBX Binary|; FBX)/.test(head)) return readGltfMotion(await fbxToGlb(bytes, options), options);
  if (/^(?:PXR-USDC|#usda)/.test(head)) return readGltfMotion(await usdToGlb(bytes, options), options);
  if (head.startsWith('glTF')) return readGltfMotion(bytes, options);
  return readMotion(bytes, options);
}
