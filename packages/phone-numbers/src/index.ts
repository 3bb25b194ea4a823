export { countries, isCountry, type ParsedPhone, parsePhone } from './parse-phone.js';
export { type PhoneReason, phoneReasons, phoneSentence } from './phone-reasons.js';
export { countriesOf, countryOfZone, zonesOfCountry } from './zones-of-number.js';
