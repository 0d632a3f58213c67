import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guideTables } from './guide-tables.ts';

const guide = readFileSync(new URL('../../../../docs/guide/puppet.md', import.meta.url), 'utf8');

describe('the guide to puppetry', () => {
  it.each(Object.entries(guideTables()))('shows what is computed: %s', (_, table) => {
    expect(guide).toContain(table);
  });
});
