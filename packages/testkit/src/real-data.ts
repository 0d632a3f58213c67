/**
 * Finds the measured meshes that some tests and all benchmarks compare with. They belong to their authors and are not
 * part of the repository: they lie in the folder that `PELT_DATA` names, else in `shared/data` beside the checkout.
 */

/**
 * @param path  below the data folder: `horse-gallop/rest.obj`
 * @returns an absolute path, or undefined where the file is absent
 */
export function realData(path: string): string | undefined {
  const file = process.getBuiltinModule('path').resolve(realDataFolder(), path);
  return process.getBuiltinModule('fs').existsSync(file) ? file : undefined;
}

/** Where real data is looked for, for the message of a test that skips or of a benchmark that stops. */
export function realDataFolder(): string {
  const beside = () =>
    process.getBuiltinModule('url').fileURLToPath(new URL('../../../../shared/data', import.meta.url));
  return process.env.PELT_DATA ?? beside();
}
