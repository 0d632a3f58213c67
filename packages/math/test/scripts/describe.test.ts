import { describe, expect, it } from 'vitest';
import { checkedSource } from '../../scripts/kernels/checked-source.mjs';
import { describe as describeKernels } from '../../scripts/kernels/describe.mjs';
import { readKernels } from '../../scripts/kernels/direct-kernels.mjs';
import { writeAssembly } from '../../scripts/kernels/write-assembly.mjs';
import { writeCalls } from '../../scripts/kernels/write-calls.mjs';

const EXAMPLE = {
  shared: { Points: { arguments: { positions: 'f64[3 * items]', n: 'i32' } } },
  scratch: {
    Inner: { of: ['n'], parts: { row: 'f32[n]' } },
    Outer: { of: ['n'], parts: { list: 'i32[n + 1]', inner: 'Inner(2 * n)', last: 'f64[1]' } },
  },
  kernels: {
    scale: { extends: 'Points', arguments: { by: 'f64', flags: 'u8[n]?', from: 'address' }, scratch: 'Outer(n)' },
  },
};

describe('descriptions of kernels', () => {
  it('lay arguments out as C does, after those that are shared', () => {
    const [{ structure }] = describeKernels(EXAMPLE).kernels;
    const offsets = structure.fields.map(({ name, offset }) => [name, offset]);
    // f64 at a multiple of eight: no gap, since two words lie before it.
    expect(Object.fromEntries(offsets)).toEqual({ positions: 0, n: 4, by: 8, flags: 16, from: 20 });
    const kernels = { odd: { arguments: { k: 'i32', x: 'f64', l: 'i32' } } };
    const odd = describeKernels({ kernels }).kernels[0].structure.fields;
    expect(odd.map(({ offset }) => offset)).toEqual([0, 8, 16]);
  });

  it('refuse types, names and parents that are not known, and names that come twice', () => {
    const kernel = (given: object) => () => describeKernels({ kernels: { k: given } });
    expect(kernel({ arguments: { x: 'f16' } })).toThrow("x: 'f16' is not a type of an argument");
    expect(kernel({ arguments: { x: 'f64[m]' } })).toThrow("K.x: 'm' in 'm' is not known");
    expect(kernel({ extends: 'Nothing' })).toThrow("K: there are no shared arguments 'Nothing'");
    const twice = { ...EXAMPLE, kernels: { k: { extends: 'Points', arguments: { n: 'i32' } } } };
    expect(() => describeKernels(twice)).toThrow('K: two arguments have the same name');
  });

  it('give both sides of a call the same layout', () => {
    const assembly = writeAssembly(EXAMPLE, EXAMPLE.scratch, new Map(), 'here');
    expect(assembly).toContain(
      'export class Scale extends Points {\n  by!: f64;\n  flags!: usize;\n  from!: usize;\n}',
    );
    expect(assembly).toContain('static list(scratch: usize, n: i32): usize { return scratch + 0; }');
    const list = '((<usize>(n + 1) * 4 + 15) & ~15)';
    expect(assembly).toContain(
      `static last(scratch: usize, n: i32): usize { return scratch + ${list} + InnerScratch.bytes(2 * n); }`,
    );
    const calls = writeCalls([EXAMPLE], [], EXAMPLE.scratch, { imports: [], source: 'here' });
    for (const line of ['words[0] = f.positions.pointer;', 'numbers[1] = f.by;', 'words[4] = f.flags?.pointer ?? 0;']) {
      expect(calls).toContain(line);
    }
    expect(calls).toContain("numerics.launch('scale', items, grain, outerBytes(f.n));");
    expect(calls).toContain(
      'return 16 * Math.ceil(((n + 1) * 4) / 16) + innerBytes(2 * n) + 16 * Math.ceil(((1) * 8) / 16);',
    );
  });

  it('take kernels on the caller’s thread from their signatures', () => {
    const source =
      'export function one(\n  a: usize, n: i32,\n): f64 {\n}\nexport function all(begin: i32, end: i32, args: All, scratch: usize): void {\n}\n';
    const { direct, parallel } = readKernels("export { one, all } from './some';", () => source);
    const parameters = [
      { name: 'a', type: 'usize' },
      { name: 'n', type: 'i32' },
    ];
    expect(direct).toEqual([{ name: 'one', parameters, result: 'f64' }]);
    expect([...parallel]).toEqual([['all', 'All']]);
    expect(() => readKernels("export { two } from './some';", () => source)).toThrow(
      './some: there is no function two',
    );
  });
});

describe('the sources of the build that checks', () => {
  const checked = (text: string) =>
    checkedSource(text, 'a.ts', './check').replace("import { checkAccess } from './check'; ", '');

  it('check every access with its bytes and its offset', () => {
    expect(checked('x = load<f64>(p + 1, 8);')).toBe('x = load<f64>(checkAccess(p + 1, sizeof<f64>(), 8), 8);');
    expect(checked('store<u8>(p, v, 4);')).toBe('store<u8>(checkAccess(p, sizeof<u8>(), 4), v, 4);');
    expect(checked('v128.store32_lane(p, v, 2, 8);')).toBe('v128.store32_lane(checkAccess(p, 4, 8), v, 2, 8);');
    expect(checked('memory.fill(p, 0, n);')).toBe('memory.fill(checkAccess(p, n, 0), 0, n);');
  });

  it('check accesses inside of accesses, and leave comments and other calls alone', () => {
    const inner = 'load<i32>(checkAccess(list, sizeof<i32>(), 0))';
    expect(checked('load<f64>(a + load<i32>(list));')).toBe(`load<f64>(checkAccess(a + ${inner}, sizeof<f64>(), 0));`);
    for (const text of ['// load<f64>(p)', ' * load<f64>(p)', 'f64x2.mul(a, b);']) expect(checked(text)).toBe(text);
    expect(() => checked('v128.load16_splat(p);')).toThrow("'v128.load16_splat(' is not a known access to memory");
  });
});
