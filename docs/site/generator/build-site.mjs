// @ts-check
/** The whole site as a map from paths to contents. */
import { readReference } from '../../api/reference.mjs';
import { bundleClient } from './bundle.mjs';
import { brokenLinks } from './check-links.mjs';
import { llmsText } from './llms.mjs';
import { liveModels } from './models.mjs';
import { referencePages } from './reference-pages.mjs';
import { sitePages } from './site-pages.mjs';
import { thumbnail } from './thumbnail.mjs';

/**
 * @param {string} root  folder of the repository
 * @param {(message: string) => void} [log]
 * @returns {Promise<import('./site-pages.mjs').SiteFiles>} throws where a link leads nowhere
 */
export async function buildSite(root, log = () => {}) {
  /** @type {import('./site-pages.mjs').SiteFiles} */
  const files = new Map();
  const step = async (
    /** @type {string} */ name,
    /** @type {() => Promise<Iterable<[string, string | Uint8Array]>>} */ make,
  ) => {
    const start = performance.now();
    for (const [path, body] of await make()) files.set(path, body);
    log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  };
  await step('scripts', bundleClient);
  await step('models of the live examples', liveModels);
  await step('pages', async () => sitePages(root, referencePages((await readReference()).project), thumbnail));
  files.set('llms.txt', llmsText(root));
  const broken = brokenLinks(files);
  if (broken.length > 0) throw new Error(`docs: ${broken.length} broken links\n${broken.join('\n')}`);
  return files;
}
