// Everything is in one header.
#pragma once
#include "acl.h"
