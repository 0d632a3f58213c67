import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { decodePayloadArray, ExtensionFields } from '../../src/extensions/index.ts';

describe('decodePayloadArray', () => {
  const entry = { type: 'Uint16Array', length: 2, bufferView: 0 };

  it('takes as many numbers as the entry says from the front of its view', () => {
    expect(decodePayloadArray(entry, 'here', Uint8Array.of(1, 0, 2, 0, 9, 9))).toEqual(Uint16Array.of(1, 2));
    expect(decodePayloadArray({ ...entry, length: 0 }, 'here', undefined)).toEqual(new Uint16Array());
  });

  it('multiplies whole numbers by the steps of their rows', () => {
    const rows = { type: 'Float64Array', length: 6, stored: 'Int8Array', steps: [0.5, 10], columns: 2 };
    const bytes = Uint8Array.of(1, 255, 2, 3, 4, 0, 77);
    // Rows of two: steps 0.5, 10, and 0.5 again.
    expect(decodePayloadArray(rows, 'here', bytes)).toEqual(Float64Array.of(0.5, -0.5, 20, 30, 2, 0));
    const bad = (change: object) => () => decodePayloadArray({ ...rows, ...change }, 'here', bytes);
    expect(bad({ stored: 'Float' })).toThrow('here.stored is not the name of a typed array');
    for (const steps of [undefined, [], ['1'], [Number.NaN], 2]) expect(bad({ steps })).toThrow('here.steps must be');
    for (const columns of [0, 0.5, '2']) expect(bad({ columns })).toThrow('here.columns is');
    expect(bad({ length: 8 })).toThrow('needs 8 bytes');
  });

  it('refuses types, lengths and sizes that do not fit', () => {
    const bad = (change: object, bytes?: Uint8Array) => () =>
      decodePayloadArray({ ...entry, ...change }, 'here', bytes);
    expect(bad({ type: 'constructor' })).toThrow('here.type is not the name of a typed array');
    for (const length of [-1, 0.5, 2 ** 60, '2', undefined]) expect(bad({ length })).toThrow(/whole number from 0/);
    expect(bad({}, Uint8Array.of(1, 0, 2))).toThrow('here needs 4 bytes, but its buffer view has 3');
    expect(bad({})).toThrow('has 0');
  });
});

describe('ExtensionFields', () => {
  const extension = {
    name: 'PELT_x',
    json: { version: 1, slots: 4, names: ['a'], size: 0.5 },
    buffers: { values: Float32Array.of(1) },
  };
  const fields = new ExtensionFields(extension);

  it('gives what has the promised type', () => {
    expect(fields.count('slots')).toBe(4);
    expect(fields.number('size')).toBe(0.5);
    expect(fields.names('names')).toEqual(['a']);
    expect(fields.array('values', Float32Array)).toBe(extension.buffers.values);
    expect([fields.has('values'), fields.has('toString')]).toEqual([true, false]);
  });

  it('refuses everything else, and names it', () => {
    expect(() => fields.count('slots', 5)).toThrow('PELT_x: slots is 4; it must be a whole number from 5');
    expect(() => fields.count('size')).toThrow(InputError);
    expect(() => fields.number('names')).toThrow('PELT_x: names must be a number');
    expect(() => fields.names('slots')).toThrow('PELT_x: slots must be a list of names');
    expect(() => fields.array('values', Float64Array)).toThrow('PELT_x: buffers.values must be a Float64Array');
    expect(() => fields.array('toString', Float64Array)).toThrow(InputError);
  });

  it('reads versions up to the latest', () => {
    const of = (version: unknown, latest?: number) => () =>
      new ExtensionFields({ ...extension, json: { version } }, latest);
    expect(of(2, 2)).not.toThrow();
    expect(of(2)).toThrow('PELT_x has version 2; this reads version 1, so write the file again or update pelt');
    expect(of(undefined, 2)).toThrow('PELT_x has no version; this reads versions 1 to 2');
    for (const version of [0, 1.5, '1']) expect(of(version)).toThrow(InputError);
  });
});
