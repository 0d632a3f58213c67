import type { JobHost } from '@pelt/jobs';
import { UnsupportedError } from '@pelt/model';

/** Reads FBX by a package of its own, which brings three.js along and is loaded, or missed, only when it is needed. */
export const convertFbx: NonNullable<JobHost['convertFbx']> = async (bytes, options) => {
  const { fbxToGlb } = await import('@pelt/fbx').catch((error: unknown) => {
    const cure = 'reading it needs one more package: npm install @pelt/fbx';
    throw new UnsupportedError(`'${options.name}' is an FBX file; ${cure}`, { cause: error });
  });
  return fbxToGlb(bytes, options);
};
