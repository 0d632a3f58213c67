import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/alembic/decode-text.ts';
import { bytesOf } from '../meshes.ts';

describe('decodeText', () => {
  it('keeps what can be printed, of any language', () => {
    expect(decodeText(bytesOf('Körper_左手'))).toBe('Körper_左手');
    expect(decodeText(new Uint8Array(0))).toBe('');
  });

  it('replaces what would break a line or is no text', () => {
    expect(decodeText(bytesOf('a\nb\x1bc\x7f'))).toBe('a\ufffdb\ufffdc\ufffd');
    expect(decodeText(Uint8Array.of(97, 255))).toBe('a\ufffd');
  });
});
