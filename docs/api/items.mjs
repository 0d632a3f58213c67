// @ts-check
/** What the reference says of each public function and class, and what it fails to say. */
import { Comment, ReflectionKind } from 'typedoc';

/**
 * @typedef {object} Item
 * @property {string} name  the module and the item: '@pelt/math gemm'
 * @property {string[]} examples  the code of its examples
 * @property {Lack[]} lacks  what is missing from its comment
 *
 * @typedef {'description' | 'example' | `@param ${string}`} Lack
 */

/**
 * Every function and class that a published module exports, once. Each must have a description and an example that
 * uses it; arrays among the arguments of a function must be described, because their sizes are not in their types.
 *
 * @param {import('typedoc').ProjectReflection} project
 * @returns {Item[]}
 */
export function publicItems(project) {
  return project
    .getReflectionsByKind(ReflectionKind.Module)
    .flatMap((module) => (module.isDeclaration() ? (module.children ?? []) : []))
    .filter((item) => item.kindOf([ReflectionKind.Function, ReflectionKind.Class]))
    .map((item) => ({ name: `${item.parent?.name} ${item.name}`, ...judge(item) }));
}

/** @param {import('typedoc').DeclarationReflection} item */
function judge(item) {
  const comments = [item, ...(item.signatures ?? [])].flatMap(({ comment }) => comment ?? []);
  const examples = comments.flatMap((comment) => comment.getTags('@example').map(({ content }) => codeOf(content)));
  const described = comments.some((comment) => comment.summary.some(({ text }) => text.trim() !== ''));
  const arrays = (item.signatures ?? []).flatMap(undescribedArrays);
  /** @type {Lack[]} */
  const lacks = [...new Set(arrays)].map((name) => /** @type {const} */ (`@param ${name}`));
  if (!described) lacks.unshift('description');
  if (!examples.some((code) => new RegExp(`\\b${item.name}\\b`).test(code))) lacks.push('example');
  return { examples, lacks };
}

/** @param {import('typedoc').SignatureReflection} signature */
function undescribedArrays({ comment, parameters = [] }) {
  // Where everything is small and of one size, as for 3 × 3 matrices, one sentence gives the sizes of all.
  if (/×|\bnumbers\b/.test(Comment.combineDisplayParts(comment?.summary))) return [];
  return parameters
    .filter(({ type, comment }) => /Array|\[\]/.test(`${type}`) && !comment?.summary.length)
    .map(({ name }) => name);
}

/** @param {readonly import('typedoc').CommentDisplayPart[]} content  of an example: code in a fence, or only code */
function codeOf(content) {
  const text = Comment.combineDisplayParts(content);
  return [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code]) => code).join('\n');
}
