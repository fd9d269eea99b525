// Everything is in one header.
#pragma once
#include "pto/pto-inst.hpp"
