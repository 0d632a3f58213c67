import { UsageError } from '@pelt/model';

/**
 * An optional package, loaded when it is needed.
 *
 * @param needed  what needs it
 */
export async function loadPeer<T>(name: string, needed: string): Promise<T> {
  try {
    return (await import(/* @vite-ignore */ name)) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(`${needed} needs the package '${name}'; npm install ${name}`, { cause: error });
  }
}
