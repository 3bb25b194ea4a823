/** The exports for uploads. */
export { createUpload, type NewUpload } from './uploads/create-upload.js';
export { deleteUpload, forgetUploads } from './uploads/forget-uploads.js';
export { readUpload, readUploadBytes, type UploadView } from './uploads/read-upload.js';
export { storePart, type UploadPart } from './uploads/store-part.js';
