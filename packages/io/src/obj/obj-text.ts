/** What all readers of OBJ text share: where it begins, and the coordinates of its vertices. */
import { InputError, UnsupportedError } from '@pelt/model';
import { MAX_FLOAT32, type TextScanner } from '../text-scanner.ts';

const SPACE = 32;
const BACKSLASH = 92;

/** Where an OBJ's first line begins: behind a byte order mark. UTF-16 is named for what it is. */
export function objTextStart(bytes: Uint8Array, label: string): number {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new UnsupportedError(`${label}: the text is UTF-16; save it as UTF-8 or ASCII`);
  }
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Whether a statement's keyword ends here: at a blank, or where the line is joined to the next. */
export function endsKeyword(bytes: Uint8Array, position: number): boolean {
  return position >= bytes.length || bytes[position] <= SPACE || bytes[position] === BACKSLASH;
}

/** One of the three coordinates of a `v` statement. */
export function readCoordinate(scanner: TextScanner, label: string): number {
  if (!scanner.moreOnLine()) {
    throw new InputError(
      `${label}, line ${scanner.lineNumber(scanner.position)}: a vertex has fewer than 3 coordinates; ` +
        'the file is cut short or damaged, export it again',
    );
  }
  const value = scanner.number();
  if (!(Math.abs(value) <= MAX_FLOAT32)) throw notANumber(scanner, label);
  return value;
}

export function notANumber(scanner: TextScanner, label: string): InputError {
  const token = scanner.lastToken();
  return new InputError(
    `${label}, line ${scanner.lineNumber()}: '${token}' is not a finite 32-bit number; repair or export the file again`,
  );
}
