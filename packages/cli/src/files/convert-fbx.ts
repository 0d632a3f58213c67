import type { JobHost } from '@pelt/jobs';

/** Reads FBX by a package of its own, which brings a part of three.js along and is loaded only when it is needed. */
export const convertFbx: NonNullable<JobHost['convertFbx']> = async (bytes, options) => {
  const { fbxToGlb } = await import('@pelt/fbx');
  return fbxToGlb(bytes, options);
};
