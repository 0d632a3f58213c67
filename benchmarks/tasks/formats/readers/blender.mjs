/** A file by Debian's Blender, in a process of its own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BLENDER = process.env.BLENDER ?? 'blender';
const SCRIPT = fileURLToPath(new URL('blender_play.py', import.meta.url));

export function hasBlender() {
  return spawnSync(BLENDER, ['--version']).status === 0;
}

/**
 * @param bytes      of the file
 * @param extension  `fbx` or `usdz`
 * @param moments    [clip name or null, seconds]: all that will be asked for
 */
export function readBlender(bytes, extension, moments) {
  const folder = mkdtempSync(join(tmpdir(), 'pelt-blender-'));
  try {
    const [file, order, output] = [`in.${extension}`, 'order.json', 'out.bin'].map((name) => join(folder, name));
    writeFileSync(file, bytes);
    writeFileSync(order, JSON.stringify({ file, output, moments }));
    const run = ['--background', '--factory-startup', '--python-exit-code', '9', '--python', SCRIPT, '--', order];
    const { status, stderr, stdout } = spawnSync(BLENDER, run, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`Blender: ${(stderr + stdout).trim().split('\n').slice(-3).join(' | ')}`);
    return played(readFileSync(output), moments);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function played(bytes, moments) {
  const end = bytes.indexOf(10);
  const head = JSON.parse(bytes.subarray(0, end).toString('utf8'));
  const positions = new Float32Array(bytes.buffer.slice(bytes.byteOffset + end + 1, bytes.byteOffset + bytes.length));
  const size = 3 * head.parts.reduce((sum, [, corners]) => sum + corners, 0);
  const key = (clip, seconds) => `${clip ?? ''}@${seconds.toFixed(6)}`;
  const places = new Map(moments.map(([clip, seconds], k) => [key(clip, seconds), k]));
  const clips = head.clips.map((name) => ({ name, start: 0, end: 0 }));
  return {
    materials: head.materials,
    clips,
    parts: head.parts.map(([name, corners]) => ({ name, corners })),
    play(clip, time) {
      const k = places.get(key(clip < 0 ? null : clips[clip].name, clip < 0 ? 0 : time));
      return positions.subarray(k * size, (k + 1) * size);
    },
  };
}
