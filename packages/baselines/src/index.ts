/** Published methods as printed, to compare those of @pelt/skin with. */
export { PUBLISHED_SSDR_DEFAULTS, type PublishedSsdrOptions } from './ssdr/options.ts';
export { type PublishedFit, publishedSsdr } from './ssdr/published-ssdr.ts';
