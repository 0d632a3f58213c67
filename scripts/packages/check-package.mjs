// @ts-check
/** What publint and Are the types wrong? say of a tarball: whether every way to import it finds code and types. */
import { checkPackage as checkTypes, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** Ways of importing that no package of ours serves: they are ES modules, as their READMEs say. */
const NOT_SERVED = new Set(['node10', 'node16-cjs']);

/**
 * @param {import('./public-packages.mjs').PublicPackage} each
 * @param {Uint8Array<ArrayBuffer>} tarball
 * @returns {Promise<string[]>} problems
 */
export async function checkPackage({ manifest }, tarball) {
  const { messages, pkg } = await publint({
    pack: { tarball: tarball.slice().buffer },
    level: 'warning',
    strict: true,
  });
  const said = messages.map((message) => `${manifest.name}: ${formatMessage(message, pkg, { color: false })}`);
  const checked = await checkTypes(createPackageFromTarballData(tarball));
  // A command has no types, and needs none.
  if (!checked.types) return manifest.bin ? said : [...said, `${manifest.name}: has no types`];
  // What is exported as it is, such as a model or an image, is a file for a server and no module with types.
  const isFile = (/** @type {string} */ entry) => typeof manifest.exports?.[entry] === 'string';
  const wrong = checked.problems.filter(
    (problem) =>
      !('resolutionKind' in problem && NOT_SERVED.has(problem.resolutionKind)) &&
      !('entrypoint' in problem && isFile(problem.entrypoint)),
  );
  return [...said, ...wrong.map((problem) => `${manifest.name}: ${JSON.stringify(problem)}`)];
}
