/** Systems that feed each other: a solid that teaches a skin, and a solid that is opened again. */
import * as body from './compose/saved-body.mjs';
import * as sculpts from './compose/sculpts-performed.mjs';
import * as teacher from './compose/solid-teacher.mjs';

export default {
  name: 'compose',
  needs: [...new Set([...teacher.needs, ...body.needs, ...sculpts.needs])],
  async run(context) {
    return [...(await teacher.measure(context)), ...(await sculpts.measure(context)), ...(await body.measure(context))];
  },
};
