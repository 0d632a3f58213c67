/** The controls of the add-on are those of the option tables, and its guide page names them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS, type CommandName } from '@pelt/jobs/commands';
import { describe, expect, it } from 'vitest';
import { addonOptions } from '../options.mjs';

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
const source = read('../pelt/operations.py');
const page = read('../../../docs/guide/blender.md');
const operations = Object.entries(await addonOptions());

describe('controls of the add-on', () => {
  it('are as the tables have them; npm run build writes them again', () => {
    expect(JSON.parse(read('../pelt/options.json'))).toEqual(Object.fromEntries(operations));
  });

  it('are those of five operations, and each operation sends its own', () => {
    expect(operations).toHaveLength(5);
    for (const [name] of operations) {
      expect(source).toContain(`__annotations__ = _properties("${name}")`);
      expect(source).toContain(`_given("${name}", self)`);
    }
  });

  it('have ranges that hold their defaults, and one name each', () => {
    for (const [name, controls] of operations) {
      expect(new Set(controls.map(({ property }) => property)).size, name).toBe(controls.length);
      for (const control of controls) {
        const { type, default: standard, min = 0, max = 0, items = [] } = control;
        if (type === 'enum') expect(items.map(([value]) => value)).toContain(standard);
        else if (type === 'bool') expect(typeof standard).toBe('boolean');
        else expect(Number(standard) >= min && Number(standard) <= max, `${name} ${control.option}`).toBe(true);
        expect(control.description).not.toMatch(/--/);
        expect(control.description).toMatch(/^\S/);
      }
    }
  });

  it('send 0 only where it is a value of the option', async () => {
    const [, fit] = operations[0];
    const bones = fit.find(({ option }) => option === 'bones');
    expect(bones).toMatchObject({ type: 'int', default: 20, min: 0, zero: 'auto' });
    expect(fit.find(({ option }) => option === 'maxError')).toMatchObject({ default: 0, zero: '' });
    expect(fit.find(({ option }) => option === 'smooth')).not.toHaveProperty('zero');
  });

  it('beside which the jobs give options that there are', async () => {
    for (const [, command, text] of source.matchAll(/_job\("(\w+)", [^{]*\{([^}]*)\}/g)) {
      const { options } = await COMMANDS[command as CommandName].table();
      for (const [, key] of text.matchAll(/"(\w+)":/g)) expect(options).toHaveProperty(key);
    }
  });

  it('are in the guide', () => {
    for (const [, controls] of operations)
      for (const { property } of controls) expect(page, property).toContain(`${property}=`);
  });
});
