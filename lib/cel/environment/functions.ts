/**
 * The functions of the language and of cel-go's extensions that Kubernetes 1.33 enables, one a line: the name, and its overloads. A leading dot marks a member
 * function, whose first parameter is the receiver. Lines that begin with a space continue the line above. The ids of the
 * overloads are cel-go's. Functions for many types are in signature.ts.
 */

/** The operators, and the functions that macros use. */
export const OPERATORS = `
!_ logical_not(bool)bool
-_ negate_double(double)double negate_int64(int)int
@in in_list(A,list(A))bool in_map(A,map(A,B))bool
@not_strictly_false not_strictly_false(bool)bool
_!=_ not_equals(A,A)bool
_%_ modulo_int64(int,int)int modulo_uint64(uint,uint)uint
_&&_ logical_and(bool,bool)bool
_*_ multiply_double(double,double)double multiply_int64(int,int)int multiply_uint64(uint,uint)uint
_+_ add_bytes(bytes,bytes)bytes add_double(double,double)double
  add_duration_duration(duration,duration)duration add_duration_timestamp(duration,timestamp)timestamp
  add_timestamp_duration(timestamp,duration)timestamp add_int64(int,int)int add_list(list(A),list(A))list(A)
  add_string(string,string)string add_uint64(uint,uint)uint
_-_ subtract_double(double,double)double subtract_duration_duration(duration,duration)duration
  subtract_int64(int,int)int subtract_timestamp_duration(timestamp,duration)timestamp
  subtract_timestamp_timestamp(timestamp,timestamp)duration subtract_uint64(uint,uint)uint
_/_ divide_double(double,double)double divide_int64(int,int)int divide_uint64(uint,uint)uint
_==_ equals(A,A)bool
_?._ select_optional_field(dyn,string)optional(V)
_?_:_ conditional(bool,A,A)A
_[?_] list_optindex_optional_int(list(V),int)optional(V)
  optional_list_optindex_optional_int(optional(list(V)),int)optional(V)
  map_optindex_optional_value(map(K,V),K)optional(V)
  optional_map_optindex_optional_value(optional(map(K,V)),K)optional(V)
_[_] index_list(list(A),int)A index_map(map(A,B),A)B
  optional_list_index_int(optional(list(V)),int)optional(V)
  optional_map_index_value(optional(map(K,V)),K)optional(V)
_||_ logical_or(bool,bool)bool
cel.@mapInsert @mapInsert_map_key_value(map(K,V),K,V)map(K,V) @mapInsert_map_map(map(K,V),map(K,V))map(K,V)
`;

/** Conversions to another type. Names of types are functions. */
export const CONVERSIONS = `
bool bool_to_bool(bool)bool string_to_bool(string)bool
bytes bytes_to_bytes(bytes)bytes string_to_bytes(string)bytes
double double_to_double(double)double int64_to_double(int)double string_to_double(string)double
  uint64_to_double(uint)double
duration duration_to_duration(duration)duration int64_to_duration(int)duration
  string_to_duration(string)duration
dyn to_dyn(A)dyn
int int64_to_int64(int)int double_to_int64(double)int duration_to_int64(duration)int
  string_to_int64(string)int timestamp_to_int64(timestamp)int uint64_to_int64(uint)int
string string_to_string(string)string bool_to_string(bool)string bytes_to_string(bytes)string
  double_to_string(double)string duration_to_string(duration)string int64_to_string(int)string
  timestamp_to_string(timestamp)string uint64_to_string(uint)string
timestamp timestamp_to_timestamp(timestamp)timestamp int64_to_timestamp(int)timestamp
  string_to_timestamp(string)timestamp
type type(A)type(A)
uint uint64_to_uint64(uint)uint double_to_uint64(double)uint int64_to_uint64(int)uint
  string_to_uint64(string)uint
`;

/** The parts of timestamps and durations. */
export const TIMES = `
getDate .timestamp_to_day_of_month_1_based(timestamp)int
  .timestamp_to_day_of_month_1_based_with_tz(timestamp,string)int
getDayOfMonth .timestamp_to_day_of_month(timestamp)int
  .timestamp_to_day_of_month_with_tz(timestamp,string)int
getDayOfWeek .timestamp_to_day_of_week(timestamp)int .timestamp_to_day_of_week_with_tz(timestamp,string)int
getDayOfYear .timestamp_to_day_of_year(timestamp)int .timestamp_to_day_of_year_with_tz(timestamp,string)int
getFullYear .timestamp_to_year(timestamp)int .timestamp_to_year_with_tz(timestamp,string)int
getHours .timestamp_to_hours(timestamp)int .timestamp_to_hours_with_tz(timestamp,string)int
  .duration_to_hours(duration)int
getMilliseconds .timestamp_to_milliseconds(timestamp)int
  .timestamp_to_milliseconds_with_tz(timestamp,string)int .duration_to_milliseconds(duration)int
getMinutes .timestamp_to_minutes(timestamp)int .timestamp_to_minutes_with_tz(timestamp,string)int
  .duration_to_minutes(duration)int
getMonth .timestamp_to_month(timestamp)int .timestamp_to_month_with_tz(timestamp,string)int
getSeconds .timestamp_to_seconds(timestamp)int .timestamp_to_seconds_tz(timestamp,string)int
  .duration_to_seconds(duration)int
`;

/** Texts, lists, maps, sets and optionals. */
export const VALUES = `
charAt .string_char_at_int(string,int)string
contains .contains_string(string,string)bool
endsWith .ends_with_string(string,string)bool
find .string_find_string(string,string)string
findAll .string_find_all_string(string,string)list(string)
  .string_find_all_string_int(string,string,int)list(string)
first .list_first(list(V))optional(V)
hasValue .optional_hasValue(optional(V))bool
indexOf .list_a_index_of_int(list(A),A)int .string_index_of_string(string,string)int
  .string_index_of_string_int(string,string,int)int
join .list_join(list(string))string .list_join_string(list(string),string)string
last .list_last(list(V))optional(V)
lastIndexOf .list_a_last_index_of_int(list(A),A)int .string_last_index_of_string(string,string)int
  .string_last_index_of_string_int(string,string,int)int
lowerAscii .string_lower_ascii(string)string
matches matches(string,string)bool .matches_string(string,string)bool
optional.none optional_none()optional(V)
optional.of optional_of(V)optional(V)
optional.ofNonZeroValue optional_ofNonZeroValue(V)optional(V)
optional.unwrap optional_unwrap(list(optional(V)))list(V)
or .optional_or_optional(optional(V),optional(V))optional(V)
orValue .optional_orValue_value(optional(V),V)V
replace .string_replace_string_string(string,string,string)string
  .string_replace_string_string_int(string,string,string,int)string
sets.contains list_sets_contains_list(list(T),list(T))bool
sets.equivalent list_sets_equivalent_list(list(T),list(T))bool
sets.intersects list_sets_intersects_list(list(T),list(T))bool
size size_bytes(bytes)int .bytes_size(bytes)int size_list(list(A))int .list_size(list(A))int
  size_map(map(A,B))int .map_size(map(A,B))int size_string(string)int .string_size(string)int
split .string_split_string(string,string)list(string)
  .string_split_string_int(string,string,int)list(string)
startsWith .starts_with_string(string,string)bool
strings.quote strings_quote(string)string
substring .string_substring_int(string,int)string .string_substring_int_int(string,int,int)string
trim .string_trim(string)string
unwrapOpt .optional_unwrapOpt(list(optional(V)))list(V)
upperAscii .string_upper_ascii(string)string
value .optional_value(optional(V))V
`;
