/** One character: cells of the matrices, and systems that feed each other. */

import * as matrix from './compose/matrix-cells.mjs';
import * as body from './compose/saved-body.mjs';
import * as sculpts from './compose/sculpts-performed.mjs';
import * as teacher from './compose/solid-teacher.mjs';

export default {
  name: 'compose',
  needs: [...new Set([...teacher.needs, ...body.needs, ...sculpts.needs])],
  async run(context) {
    return [
      ...(await matrix.measure(context)),
      ...(await teacher.measure(context)),
      ...(await sculpts.measure(context)),
      ...(await body.measure(context)),
    ];
  },
};
