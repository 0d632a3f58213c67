import type { JobHost } from '@pelt/jobs';

/** Loaded only when something is drawn. */
const loaded = async () => (await import('../view/draw-scene.ts')).sceneDrawer();

export const drawScene: NonNullable<JobHost['drawScene']> = {
  requireFormat: async (format) => (await loaded()).requireFormat(format),
  draw: async (scene, format, context) => (await loaded()).draw(scene, format, context),
};
