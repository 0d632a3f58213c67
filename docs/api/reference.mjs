// @ts-check
/** Reads the sources of every published module with TypeDoc, for the pages of the reference and for its tests. */
import { join, relative, resolve } from 'node:path';
import { Application, ReflectionKind } from 'typedoc';

/** For the pages of the site, whose workspace has no TypeDoc. */
export { ReferenceReflection, ReflectionKind } from 'typedoc';

import { publicPackages, ROOT } from '../../scripts/packages/public-packages.mjs';

/**
 * @typedef {import('typedoc').ProjectReflection} ProjectReflection
 * @typedef {import('typedoc').DeclarationReflection} DeclarationReflection
 * @typedef {import('typedoc').SignatureReflection} SignatureReflection
 * @typedef {import('typedoc').Comment} Comment
 * @typedef {import('typedoc').CommentDisplayPart} CommentDisplayPart
 */

const HERE = join(ROOT, 'docs/api');

/**
 * @returns {Promise<{ app: Application, project: import('typedoc').ProjectReflection }>} a project with one module per
 *   export of a package, named as users import it
 */
export async function readReference() {
  // An item belongs to the first module that exports it; later ones refer to it. A method's own module comes before
  // its parts (`pose` before `pose/runtime`), and the index that gathers all methods last.
  const entries = publicPackages()
    .flatMap((each) => each.entries)
    .sort((a, b) => rank(a.specifier) - rank(b.specifier));
  const app = await Application.bootstrap({
    name: 'pelt',
    entryPoints: entries.map(({ source }) => source),
    tsconfig: join(HERE, 'tsconfig.json'),
    readme: join(HERE, 'README.md'),
    // The compiler's version is another one here; types have a gate of their own.
    skipErrorChecking: true,
    excludePrivate: true,
    excludeInternal: true,
    sort: ['kind', 'source-order'],
    // An example is Markdown, so that it can include a file.
    jsDocCompatibility: { exampleTag: false },
    logLevel: 'Warn',
    validation: { notExported: false, invalidLink: true, notDocumented: false, rewrittenLink: false },
    treatValidationWarningsAsErrors: true,
  });
  const project = await app.convert();
  if (!project) throw new Error('docs: the sources could not be read; run `npm run typecheck`');
  for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
    const file = module.isDeclaration() ? module.sources?.[0].fullFileName : undefined;
    const entry = entries.find(({ source }) => file !== undefined && resolve(file) === source);
    if (!entry) throw new Error(`docs: the module ${module.name} (${file && relative(ROOT, file)}) is not exported`);
    module.name = entry.specifier;
  }
  return { app, project };
}

/** @param {string} specifier */
function rank(specifier) {
  const depth = specifier.split('/').length;
  return depth === 2 ? 9 : depth;
}
