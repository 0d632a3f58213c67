/** Names and other text of an archive, fit to be put into a message: one line, without control characters. */
const decoder = new TextDecoder();
const FIRST_PRINTABLE = 32;
const DELETE = 127;

export function decodeText(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  // Few texts have any, and bytes are quick to look through.
  if (!bytes.some((byte) => byte < FIRST_PRINTABLE || byte === DELETE)) return text;
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    return code < FIRST_PRINTABLE || code === DELETE ? '\ufffd' : character;
  }).join('');
}
