/** What a new project has chosen is what the commands take for themselves. */
import { COMMANDS } from '@pelt/jobs/commands';
import { ENVELOPE, FIT, REDUCE, SKELETON, type Table } from '@pelt/jobs/tables';
import { describe, expect, it } from 'vitest';
import { EMPTY_DOCUMENT } from '../../src/store/document.ts';

/** The default of an option, or the number that the command takes without it. */
function standard({ options }: Table, name: string): unknown {
  const { default: given, otherwise } = options[name];
  return given ?? (otherwise === undefined ? undefined : Number(otherwise));
}

describe('a new project', () => {
  const { fit, skeleton, reduce, skin } = EMPTY_DOCUMENT;

  it.each<[string, Table, object]>([
    ['fit', FIT, { method: fit.method, weights: fit.weights, smooth: fit.smooth, restPose: fit.restPose }],
    ['skeleton', SKELETON, { method: skeleton.method, weights: skeleton.weights, symmetry: skeleton.symmetry }],
    ['envelope', ENVELOPE, { predictor: skin.predictor }],
  ])('has the defaults of %s', (_, table, chosen) => {
    for (const [name, value] of Object.entries(chosen)) expect(value, name).toBe(standard(table, name));
  });

  it('asks for numbers that sliders can show', () => {
    for (const [value, { slider }] of [
      [fit.bones, FIT.options.bones],
      [fit.smooth, FIT.options.smooth],
    ] as const) {
      expect(value).toBeGreaterThanOrEqual(slider.from);
      expect(value).toBeLessThanOrEqual(slider.to);
    }
    expect(Object.keys(REDUCE.options)).toEqual(expect.arrayContaining(Object.keys({ weights: reduce.weights })));
  });
});

describe('tables for forms', () => {
  it.each(Object.entries(COMMANDS))(
    'have words for choices that %s takes, and sliders within reason',
    async (_, { table }) => {
      const { options }: Table = await table();
      for (const [name, { kind, slider }] of Object.entries(options)) {
        for (const word of Object.keys(kind.words ?? {})) expect(kind.choices, name).toContain(word);
        if (slider) expect(slider.to, name).toBeGreaterThan(slider.from);
      }
    },
  );
});
