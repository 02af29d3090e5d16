/**
 * The functions of Kubernetes' own libraries and of `format`, in the form of environment/functions.ts.
 */

/** The authorizer of admission policies. The names of its types begin with `authorization`. */
export const AUTHORIZER = `
allowed .decision_allowed(Decision)bool
check .pathcheck_check(PathCheck,string)Decision .resourcecheck_check(ResourceCheck,string)Decision
error .decision_error(Decision)string
errored .decision_errored(Decision)bool
fieldSelector .authorizer_fieldselector(ResourceCheck,string)ResourceCheck
group .authorizer_group(Authorizer,string)GroupCheck
labelSelector .authorizer_labelselector(ResourceCheck,string)ResourceCheck
name .resourcecheck_name(ResourceCheck,string)ResourceCheck
namespace .resourcecheck_namespace(ResourceCheck,string)ResourceCheck
path .authorizer_path(Authorizer,string)PathCheck
reason .decision_reason(Decision)string
resource .groupcheck_resource(GroupCheck,string)ResourceCheck
serviceAccount .authorizer_serviceaccount(Authorizer,string,string)Authorizer
subresource .resourcecheck_subresource(ResourceCheck,string)ResourceCheck
`.replaceAll(/\b[A-Z]/g, 'authorization.$&');

/** URLs, addresses, quantities, named formats, formatted and quoted texts. */
export const KUBERNETES = `
add .quantity_add(Quantity,Quantity)Quantity .quantity_add_int(Quantity,int)Quantity
asApproximateFloat .quantity_get_float(Quantity)double
asInteger .quantity_get_int(Quantity)int
cidr string_to_cidr(string)net.CIDR
compareTo .quantity_compare_to(Quantity,Quantity)int
containsCIDR .cidr_contains_cidr_string(net.CIDR,string)bool .cidr_contains_cidr(net.CIDR,net.CIDR)bool
containsIP .cidr_contains_ip_string(net.CIDR,string)bool .cidr_contains_ip_ip(net.CIDR,net.IP)bool
family .ip_family(net.IP)int
format .string_format(string,list(dyn))string
format.byte format.byte()NamedFormat
format.date format.date()NamedFormat
format.datetime format.datetime()NamedFormat
format.dns1035Label format.dns1035Label()NamedFormat
format.dns1035LabelPrefix format.dns1035LabelPrefix()NamedFormat
format.dns1123Label format.dns1123Label()NamedFormat
format.dns1123LabelPrefix format.dns1123LabelPrefix()NamedFormat
format.dns1123Subdomain format.dns1123Subdomain()NamedFormat
format.dns1123SubdomainPrefix format.dns1123SubdomainPrefix()NamedFormat
format.labelValue format.labelValue()NamedFormat
format.named format-named(string)optional(NamedFormat)
format.qualifiedName format.qualifiedName()NamedFormat
format.uri format.uri()NamedFormat
format.uuid format.uuid()NamedFormat
getEscapedPath .url_get_escaped_path(URL)string
getHost .url_get_host(URL)string
getHostname .url_get_hostname(URL)string
getPort .url_get_port(URL)string
getQuery .url_get_query(URL)map(string,list(string))
getScheme .url_get_scheme(URL)string
ip string_to_ip(string)net.IP .cidr_ip(net.CIDR)net.IP
ip.isCanonical ip_is_canonical(string)bool
isCIDR is_cidr(string)bool
isGlobalUnicast .ip_is_global_unicast(net.IP)bool
isGreaterThan .quantity_is_greater_than(Quantity,Quantity)bool
isIP is_ip(string)bool
isInteger .quantity_is_integer(Quantity)bool
isLessThan .quantity_is_less_than(Quantity,Quantity)bool
isLinkLocalMulticast .ip_is_link_local_multicast(net.IP)bool
isLinkLocalUnicast .ip_is_link_local_unicast(net.IP)bool
isLoopback .ip_is_loopback(net.IP)bool
isQuantity is_quantity_string(string)bool
isURL is_url_string(string)bool
isUnspecified .ip_is_unspecified(net.IP)bool
masked .cidr_masked(net.CIDR)net.CIDR
prefixLength .cidr_prefix_length(net.CIDR)int
quantity string_to_quantity(string)Quantity
sign quantity_sign(Quantity)int
string ip_to_string(net.IP)string cidr_to_string(net.CIDR)string
strings.quote strings_quote(string)string
sub .quantity_sub(Quantity,Quantity)Quantity .quantity_sub_int(Quantity,int)Quantity
url string_to_url(string)URL
validate .format-validate(NamedFormat,string)optional(list(string))
`;

/** Functions that stored rules may use, and new rules may not: 1.32 must be able to read these. */
export const STORED_ONLY = `
compareTo .semver_compare_to(Semver,Semver)int
isGreaterThan .semver_is_greater_than(Semver,Semver)bool
isLessThan .semver_is_less_than(Semver,Semver)bool
isSemver is_semver_string(string)bool is_semver_string_bool(string,bool)bool
major .semver_major(Semver)int
minor .semver_minor(Semver)int
patch .semver_patch(Semver)int
semver string_to_semver(string)Semver string_bool_to_semver(string,bool)Semver
`;
