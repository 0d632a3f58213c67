/**
 * Handles that move over time, from JSON:
 *
 *   { "fps": 24, "handles": [{ "vertex": 12, "positions": [[x, y, z], …], "softness": 0 }] }
 *
 * with one position for each frame, or `times` in seconds in place of `fps`.
 */
import { InputError, uniformTimes } from '@pelt/model';
import type { Handle } from '@pelt/skin';
import { readBytes } from './read-file.ts';

export interface HandlePath {
  /** S seconds, increasing, from 0 */
  readonly times: Float64Array;
  /** S lists of handles */
  readonly frames: readonly (readonly Handle[])[];
}

const DEFAULT_FPS = 24;

export function readHandlePath(file: string): HandlePath {
  const fail = (what: string): never => {
    throw new InputError(`'${file}': ${what}`);
  };
  const parsed = parse(file);
  if (!isRecord(parsed)) return fail('expected an object with handles');
  const { handles, times, fps = DEFAULT_FPS } = parsed;
  if (!Array.isArray(handles) || handles.length === 0) return fail('handles must be a list with at least one');
  const tracks = handles.map((handle: unknown, k) => {
    const where = `handles[${k}]`;
    if (!isRecord(handle)) return fail(`${where} must be an object`);
    const { vertex, positions, softness = 0 } = handle;
    if (typeof vertex !== 'number') return fail(`${where}.vertex must be a number`);
    if (typeof softness !== 'number') return fail(`${where}.softness must be a number`);
    if (!Array.isArray(positions) || positions.length === 0 || !positions.every(isPoint)) {
      return fail(`${where}.positions must be a list of points of three numbers`);
    }
    return { vertex, softness, positions: positions as number[][] };
  });
  const S = tracks[0].positions.length;
  const odd = tracks.findIndex(({ positions }) => positions.length !== S);
  if (odd >= 0) fail(`handles[${odd}] has ${tracks[odd].positions.length} positions, handles[0] has ${S}`);
  return {
    times: timesOf(times, fps, S, fail),
    frames: Array.from({ length: S }, (_, t) =>
      tracks.map(({ vertex, softness, positions }) => ({ vertex, softness, target: positions[t] })),
    ),
  };
}

function timesOf(times: unknown, fps: unknown, S: number, fail: (what: string) => never): Float64Array {
  if (times === undefined) {
    if (typeof fps !== 'number' || !(fps > 0)) return fail('fps must be a number above 0');
    return uniformTimes(S, fps);
  }
  if (!Array.isArray(times) || times.length !== S || !times.every((time) => Number.isFinite(time))) {
    return fail(`times must be ${S} numbers, one for each position`);
  }
  const seconds = Float64Array.from(times as number[]);
  if (seconds.some((time, t) => t > 0 && time <= seconds[t - 1])) return fail('times must rise');
  return seconds.map((time) => time - seconds[0]);
}

function parse(file: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readBytes(file)));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) {
      throw new InputError(`'${file}' is not JSON: ${error.message}`);
    }
    throw error;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPoint(value: unknown): boolean {
  return Array.isArray(value) && value.length === 3 && value.every((number) => Number.isFinite(number));
}
