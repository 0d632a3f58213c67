/** Decodes names and other text, with control characters replaced so that they are safe in one-line messages. */
const decoder = new TextDecoder();
const FIRST_PRINTABLE = 32;
const DELETE = 127;

export function decodeText(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  // Control characters are rare; scanning the bytes is the fast path.
  if (!bytes.some((byte) => byte < FIRST_PRINTABLE || byte === DELETE)) return text;
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    return code < FIRST_PRINTABLE || code === DELETE ? '\ufffd' : character;
  }).join('');
}
