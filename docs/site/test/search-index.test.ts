import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { INDEX_OPTIONS, searchIndex, sectionsOf } from '../generator/search-index.mjs';

const HTML =
  '<h1 id="fit">Fit</h1><p>Bones &amp; weights.</p><h2 id="the-call">The call <a class="anchor" href="#the-call">#</a></h2><p>Use <code>--bones</code>.</p>';

describe('the search index', () => {
  it('has one document per section, with its text alone', () => {
    expect(sectionsOf('guide/fit.html', 'Fit', HTML)).toEqual([
      { id: 'guide/fit.html', title: 'Fit', page: 'Fit', text: 'Bones & weights.' },
      { id: 'guide/fit.html#the-call', title: 'The call', page: 'Fit', text: 'Use --bones .' },
    ]);
  });

  it('finds a section by its words, and by their beginnings', () => {
    const index = MiniSearch.loadJSON(searchIndex(sectionsOf('guide/fit.html', 'Fit', HTML)), INDEX_OPTIONS);
    expect(index.search('bon', { prefix: true }).map(({ id }) => id)).toContain('guide/fit.html#the-call');
    expect(index.search('zebra')).toEqual([]);
  });
});
