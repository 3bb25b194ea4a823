/** The names that an account gives: the keys of attributes, and lists. The dashboard checks them, too. */
import { isStorableText } from '../fields/storable-text.js';
import { limits } from '../http/limits.js';

/** Templates write a key between braces, and filters write a colon after it. */
const keyForm = /^[^\s{}|:\p{Cc}](?:[^{}|:\p{Cc}]*[^\s{}|:\p{Cc}])?$/u;
const listForm = /^[^\s,;|\p{Cc}](?:[^,;|\p{Cc}]*[^\s,;|\p{Cc}])?$/u;

export const isAttributeKey = (text: string): boolean =>
  text.length <= limits.attributeKeyMaxLength && keyForm.test(text) && isStorableText(text);

export const isListName = (text: string): boolean =>
  text.length <= limits.listNameMaxLength && listForm.test(text) && isStorableText(text);
