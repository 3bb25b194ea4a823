/** The calls of contacts, suppressions, templates and broadcasts, and of the account's logs. */
import type {
  AddRecipientsInput,
  AddSuppressionsInput,
  Answer,
  AuditFilter,
  CallOptions,
  ChangeContactListsInput,
  CreateBroadcastInput,
  CreateContactImportInput,
  CreateTemplateInput,
  CreateTemplateVersionInput,
  CreateUploadInput,
  ExportContactsInput,
  ExportResultsInput,
  ListAuditInput,
  ListBroadcastsInput,
  ListContactsInput,
  ListRecipientsInput,
  ListRefusedRowsInput,
  ListRequestsInput,
  ListSuppressionsInput,
  ListTemplatesInput,
  Operation,
  PreviewTemplateInput,
  RemoveSuppressionInput,
  ResumeBroadcastInput,
  StartBroadcastInput,
  SaveContactInput,
  SetOptOutInput,
  TestBroadcastInput,
  UpdateBroadcastInput,
  UpdateContactInput,
  UploadPartInput,
} from '../contract/call-types.js';
import type { RequestParts } from './signed-request.js';

export type Call = <O extends Operation>(
  operation: O,
  parts: RequestParts,
  options?: CallOptions,
) => Promise<Answer<O>>;
export type Download = (operation: Operation, parts: RequestParts, options?: CallOptions) => AsyncIterable<string>;

export type AudienceCalls = {
  /** Creates a contact, or changes the one with this number. `created` says which. */
  saveContact(input: SaveContactInput, options?: CallOptions): Promise<Answer<'saveContact'>>;
  /** Returns contacts, newest first. Pass `nextCursor` as `cursor` until it is null. */
  listContacts(query?: ListContactsInput, options?: CallOptions): Promise<Answer<'listContacts'>>;
  getContact(contactId: string, options?: CallOptions): Promise<Answer<'getContact'>>;
  updateContact(contactId: string, input: UpdateContactInput, options?: CallOptions): Promise<Answer<'updateContact'>>;
  deleteContact(contactId: string, options?: CallOptions): Promise<Answer<'deleteContact'>>;
  /** Yields the text of the file piece by piece. Rejects if the gateway breaks off. */
  exportContacts(query?: ExportContactsInput, options?: CallOptions): AsyncIterable<string>;
  /** Returns the names of lists with counts. */
  /** Says which of up to 50 numbers are on the network, as far as the account's own traffic tells. */
  checkContacts(phones: readonly string[], options?: CallOptions): Promise<Answer<'checkContacts'>>;
  listContactLists(options?: CallOptions): Promise<Answer<'listContactLists'>>;
  /** Adds contacts to lists or removes them, up to 10,000 in one call. Call again while `hasMore` is true. */
  changeContactLists(input: ChangeContactListsInput, options?: CallOptions): Promise<Answer<'changeContactLists'>>;
  /** Begins to send a file of rows. Then send its parts, each of at most `partMaxBytes`. */
  createUpload(input: CreateUploadInput, options?: CallOptions): Promise<Answer<'createUpload'>>;
  /** Sends a part. The same part twice is one part, so retries are safe. */
  addUploadPart(uploadId: string, input: UploadPartInput, options?: CallOptions): Promise<Answer<'addUploadPart'>>;
  /** From its first part on, an upload shows its columns and its first rows. */
  getUpload(uploadId: string, options?: CallOptions): Promise<Answer<'getUpload'>>;
  /** A worker imports the upload. Ask with `getContactImport` until `endedAt` is set. */
  createContactImport(input: CreateContactImportInput, options?: CallOptions): Promise<Answer<'createContactImport'>>;
  getContactImport(importId: string, options?: CallOptions): Promise<Answer<'getContactImport'>>;
  /** Contacts that are imported by then stay. */
  cancelContactImport(importId: string, options?: CallOptions): Promise<Answer<'cancelContactImport'>>;
  /** Returns refused rows with advice. Pass `nextCursor` as `cursor` until it is null. */
  listRefusedRows(
    importId: string,
    query?: ListRefusedRowsInput,
    options?: CallOptions,
  ): Promise<Answer<'listRefusedRows'>>;
  /** Yields the text of a CSV file piece by piece. */
  exportRefusedRows(importId: string, options?: CallOptions): AsyncIterable<string>;
  /** Suppresses up to 1,000 people, and cancels what waits for them. A repeat adds nothing. */
  addSuppressions(input: AddSuppressionsInput, options?: CallOptions): Promise<Answer<'addSuppressions'>>;
  /** Returns suppressions, newest first. `phone` finds an erased number, too. */
  listSuppressions(query?: ListSuppressionsInput, options?: CallOptions): Promise<Answer<'listSuppressions'>>;
  /** `phone` may be the `userId` of a person who hides the number. */
  removeSuppression(
    phone: string,
    query?: RemoveSuppressionInput,
    options?: CallOptions,
  ): Promise<Answer<'removeSuppression'>>;
  /** Returns the words by which people opt out and in again, and the replies. */
  getOptOut(options?: CallOptions): Promise<Answer<'getOptOut'>>;
  /** Replaces the words and the replies. */
  setOptOut(input: SetOptOutInput, options?: CallOptions): Promise<Answer<'setOptOut'>>;
  /** Creates a template with its version 1. */
  createTemplate(input: CreateTemplateInput, options?: CallOptions): Promise<Answer<'createTemplate'>>;
  /** Returns the templates that are not archived, newest first, each with its latest version. */
  listTemplates(query?: ListTemplatesInput, options?: CallOptions): Promise<Answer<'listTemplates'>>;
  /** Renders a text for up to 20 recipients. It stores nothing. */
  previewTemplate(input: PreviewTemplateInput, options?: CallOptions): Promise<Answer<'previewTemplate'>>;
  /** Returns a template with its latest version. */
  getTemplate(templateId: string, options?: CallOptions): Promise<Answer<'getTemplate'>>;
  /** Returns the versions of a template, newest first. */
  listTemplateVersions(
    templateId: string,
    query?: ListTemplatesInput,
    options?: CallOptions,
  ): Promise<Answer<'listTemplateVersions'>>;
  /** Adds a version to a template. */
  createTemplateVersion(
    templateId: string,
    input: CreateTemplateVersionInput,
    options?: CallOptions,
  ): Promise<Answer<'createTemplateVersion'>>;
  /** Archives a template. Its name is free again. */
  archiveTemplate(templateId: string, options?: CallOptions): Promise<Answer<'archiveTemplate'>>;
  /**
   * Creates a draft. Nothing goes out until you start it. With a file or contacts it is `checking`: ask with
   * `getBroadcast` until it is `ready`.
   */
  createBroadcast(input: CreateBroadcastInput, options?: CallOptions): Promise<Answer<'createBroadcast'>>;
  /** Adds rows to a draft. A repeat with the same `after` adds nothing twice. */
  addBroadcastRecipients(
    broadcastId: string,
    input: AddRecipientsInput,
    options?: CallOptions,
  ): Promise<Answer<'addBroadcastRecipients'>>;
  /** Fixes the list and says what would go out. */
  checkBroadcast(broadcastId: string, options?: CallOptions): Promise<Answer<'checkBroadcast'>>;
  startBroadcast(
    broadcastId: string,
    input?: StartBroadcastInput,
    options?: CallOptions,
  ): Promise<Answer<'startBroadcast'>>;
  pauseBroadcast(broadcastId: string, options?: CallOptions): Promise<Answer<'pauseBroadcast'>>;
  /** Goes on, or sends again to those whose message failed or has an unknown outcome. */
  resumeBroadcast(
    broadcastId: string,
    input?: ResumeBroadcastInput,
    options?: CallOptions,
  ): Promise<Answer<'resumeBroadcast'>>;
  cancelBroadcast(broadcastId: string, options?: CallOptions): Promise<Answer<'cancelBroadcast'>>;
  /** Changes the name, the devices or the pace, also while it runs. */
  updateBroadcast(
    broadcastId: string,
    input: UpdateBroadcastInput,
    options?: CallOptions,
  ): Promise<Answer<'updateBroadcast'>>;
  /** Sends the text to one number, as a message of its own. */
  testBroadcast(
    broadcastId: string,
    input: TestBroadcastInput,
    options?: CallOptions,
  ): Promise<Answer<'testBroadcast'>>;
  /** Returns broadcasts, newest first. */
  listBroadcasts(query?: ListBroadcastsInput, options?: CallOptions): Promise<Answer<'listBroadcasts'>>;
  /** Returns a broadcast with its counts. */
  getBroadcast(broadcastId: string, options?: CallOptions): Promise<Answer<'getBroadcast'>>;
  /** Returns recipients in the order of the list, each with one outcome. */
  listBroadcastRecipients(
    broadcastId: string,
    query?: ListRecipientsInput,
    options?: CallOptions,
  ): Promise<Answer<'listBroadcastRecipients'>>;
  /** Yields the text of a file with the outcome of each recipient, piece by piece. */
  exportBroadcastResults(broadcastId: string, query?: ExportResultsInput, options?: CallOptions): AsyncIterable<string>;
  /** Returns who did what to the account, newest first. Pass `nextCursor` as `cursor` until it is null. */
  listAudit(query?: ListAuditInput, options?: CallOptions): Promise<Answer<'listAudit'>>;
  /** Yields the text of a CSV file piece by piece. */
  exportAudit(query?: AuditFilter, options?: CallOptions): AsyncIterable<string>;
  /** Returns what the keys asked the API, newest first. A page may be empty although `nextCursor` is not null. */
  listRequests(query?: ListRequestsInput, options?: CallOptions): Promise<Answer<'listRequests'>>;
};

export const audienceCalls = (call: Call, download: Download) =>
  ({
    saveContact: (input, options) => call('saveContact', { body: input }, options),
    listContacts: (query = {}, options) => call('listContacts', { query }, options),
    getContact: (id, options) => call('getContact', { id }, options),
    updateContact: (id, input, options) => call('updateContact', { id, body: input }, options),
    deleteContact: (id, options) => call('deleteContact', { id }, options),
    exportContacts: (query = {}, options) => download('exportContacts', { query }, options),
    checkContacts: (phones, options) => call('checkContacts', { body: { phones } }, options),
    listContactLists: (options) => call('listContactLists', {}, options),
    changeContactLists: (input, options) => call('changeContactLists', { body: input }, options),
    createUpload: (input, options) => call('createUpload', { body: input }, options),
    addUploadPart: (id, input, options) => call('addUploadPart', { id, body: input }, options),
    getUpload: (id, options) => call('getUpload', { id }, options),
    createContactImport: (input, options) => call('createContactImport', { body: input }, options),
    getContactImport: (id, options) => call('getContactImport', { id }, options),
    cancelContactImport: (id, options) => call('cancelContactImport', { id }, options),
    listRefusedRows: (id, query = {}, options) => call('listRefusedRows', { id, query }, options),
    exportRefusedRows: (id, options) => download('exportRefusedRows', { id }, options),
    addSuppressions: (input, options) => call('addSuppressions', { body: input }, options),
    listSuppressions: (query = {}, options) => call('listSuppressions', { query }, options),
    removeSuppression: (phone, query = {}, options) => call('removeSuppression', { id: phone, query }, options),
    getOptOut: (options) => call('getOptOut', {}, options),
    setOptOut: (input, options) => call('setOptOut', { body: input }, options),
    createTemplate: (input, options) => call('createTemplate', { body: input }, options),
    listTemplates: (query = {}, options) => call('listTemplates', { query }, options),
    previewTemplate: (input, options) => call('previewTemplate', { body: input }, options),
    getTemplate: (id, options) => call('getTemplate', { id }, options),
    listTemplateVersions: (id, query = {}, options) => call('listTemplateVersions', { id, query }, options),
    createTemplateVersion: (id, input, options) => call('createTemplateVersion', { id, body: input }, options),
    archiveTemplate: (id, options) => call('archiveTemplate', { id }, options),
    createBroadcast: (input, options) => call('createBroadcast', { body: input }, options),
    addBroadcastRecipients: (id, input, options) => call('addBroadcastRecipients', { id, body: input }, options),
    checkBroadcast: (id, options) => call('checkBroadcast', { id }, options),
    startBroadcast: (id, input = {}, options) => call('startBroadcast', { id, body: input }, options),
    pauseBroadcast: (id, options) => call('pauseBroadcast', { id }, options),
    resumeBroadcast: (id, input = {}, options) => call('resumeBroadcast', { id, body: input }, options),
    cancelBroadcast: (id, options) => call('cancelBroadcast', { id }, options),
    updateBroadcast: (id, input, options) => call('updateBroadcast', { id, body: input }, options),
    testBroadcast: (id, input, options) => call('testBroadcast', { id, body: input }, options),
    listBroadcasts: (query = {}, options) => call('listBroadcasts', { query }, options),
    getBroadcast: (id, options) => call('getBroadcast', { id }, options),
    listBroadcastRecipients: (id, query = {}, options) => call('listBroadcastRecipients', { id, query }, options),
    exportBroadcastResults: (id, query = {}, options) => download('exportBroadcastResults', { id, query }, options),
    listRequests: (query = {}, options) => call('listRequests', { query }, options),
    listAudit: (query = {}, options) => call('listAudit', { query }, options),
    exportAudit: (query = {}, options) => download('exportAudit', { query }, options),
  }) satisfies AudienceCalls;
