import { ENVELOPE, FIT, PUPPET, REDUCE, SKELETON, SLIDERS, type Table, VOLUME } from '@pelt/jobs/tables';
import { describe, expect, it } from 'vitest';
import { effectiveOptions, foldedOptions } from '../../src/store/more-options.ts';

describe('options that are folded away', () => {
  it.each<[string, Table]>(Object.entries({ ENVELOPE, FIT, PUPPET, REDUCE, SKELETON, SLIDERS, VOLUME }))(
    'of %s are all but files, what is asked when files are opened, and what the panel shows',
    (_, table) => {
      const names = Object.keys(table.options);
      const [shown, published] = [names.slice(0, 1), names.slice(1, 2)];
      const { more, published: compared } = foldedOptions(table, shown, published);
      expect(more.length).toBeGreaterThan(2);
      for (const name of [...more, ...compared]) expect(names).toContain(name);
      for (const name of more) {
        expect(table.options[name].kind.writes, name).toBeUndefined();
        expect([...shown, ...published]).not.toContain(name);
      }
    },
  );
});

describe('effectiveOptions', () => {
  it('leaves out what has no effect, what is unknown and what is as usual', () => {
    expect(effectiveOptions(FIT, {}, { method: 'ssdr' })).toEqual({});
    expect(effectiveOptions(FIT, { bandwidth: 9, name: 'a', gone: 1, root: undefined }, { method: 'ssdr' })).toEqual({
      name: 'a',
    });
    expect(effectiveOptions(FIT, { bandwidth: 9 }, { method: 'sma' })).toEqual({ bandwidth: 9 });
    // One of them may decide over another, or the default of it.
    expect(effectiveOptions(VOLUME, { method: 'budd-hilton', bending: 2 }, {})).toEqual({ method: 'budd-hilton' });
    expect(effectiveOptions(VOLUME, { bending: 2 }, {})).toEqual({ bending: 2 });
  });
});
