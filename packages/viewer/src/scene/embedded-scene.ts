/** The scene that a page carries: its bytes, deflated, as base64 in an element of the page. */
import { decodeScene, type ViewScene } from '@pelt/jobs/view';

export async function embeddedScene(): Promise<ViewScene> {
  const text = document.getElementById('scene')?.textContent ?? '';
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return decodeScene<ViewScene>(await new Response(stream).arrayBuffer());
}
